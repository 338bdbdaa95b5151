"""Figures of a jobs table for the reconciliation box: counts, GPU hours, span, outcomes. Unknowns are counted apart."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

from simulation.formats.tables import Table

SECONDS_PER_HOUR = 3_600.0


def job_totals(table: Table) -> dict[str, Any]:
    """Totals of the rows kept; `gpu_hours` covers the jobs whose GPUs and run time are known."""
    gpus = table["gpus"]
    starts = [start for start in table["submit_s"] if start is not None]
    ends = [end for end in table["end_s"] if end is not None]
    return {
        "jobs": len(table),
        "gpu_jobs": sum(1 for n in gpus if n),
        "cpu_only_jobs": sum(1 for n in gpus if n == 0),
        "gpu_unknown_jobs": sum(1 for n in gpus if n is None),
        "gpu_sharing_jobs": sum(1 for share in table["gpu_share"] if share is not None),
        "attempts": sum(n for n in table["attempts"] if n is not None),
        "gpu_hours": sum(s for s in table["gpu_s"] if s is not None) / SECONDS_PER_HOUR,
        "outcomes": dict(sorted(Counter(outcome or "not recorded" for outcome in table["outcome"]).items())),
        "first_submit_s": min(starts, default=None),
        "last_submit_s": max(starts, default=None),
        "last_end_s": max(ends, default=None),
        "cost": job_costs(table),
    }


def job_costs(table: Table) -> dict[str, str]:
    """Currency -> sum of GPU hours x stated price; currencies are never added. Empty where no price is stated."""
    sums: dict[str, Decimal] = {}
    for gpu_s, price, currency in zip(table["gpu_s"], table["price_per_gpu_h"], table["currency"], strict=True):
        if gpu_s is not None and price is not None:
            hours = Decimal(str(gpu_s)) / 3600
            key = currency or "currency not stated"
            sums[key] = sums.get(key, Decimal(0)) + hours * Decimal(price)
    return {key: str(total.quantize(Decimal("0.01"))) for key, total in sorted(sums.items())}
