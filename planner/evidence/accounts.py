"""Whether what a run spent and what its requests waited for add up to the whole, to the last digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

TOLERANCE = 1e-9
LATENCY = ("queue_s", "batch_wait_s", "load_s", "execute_s")
GPU_TIME = ("useful", "overhead", "lost")


class Accounted(Protocol):
    @property
    def conservation(self) -> Mapping[str, float]: ...

    @property
    def latency_parts(self) -> Mapping[str, list[Mapping[str, float | None]]]: ...


def accounts_add_up(runs: Iterable[Accounted]) -> str | None:
    """None where both accounts of every run add up, else a sentence about the first that does not."""
    for run in runs:
        spent = math.fsum(run.conservation[part] for part in GPU_TIME)
        allocated = run.conservation["gpu_s_allocated"]
        if not _close(spent, allocated):
            return f"GPU time does not add up: {allocated} GPU-s allocated, {spent} accounted for."
        for service, rows in run.latency_parts.items():
            for row in rows:
                if not _latency_adds_up(row):
                    return f"Latency of {service} does not add up at its {row['percentile']}th percentile."
    return None


def _latency_adds_up(row: Mapping[str, Any]) -> bool:
    if row["total_s"] is None:
        return True
    return _close(math.fsum(row[part] for part in LATENCY), row["total_s"])


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
