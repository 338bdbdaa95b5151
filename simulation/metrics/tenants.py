"""One row a tenant: its jobs, its GPU time against its entitlement, its waits, fairness, deadlines and cost."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulation.metrics.capacity import replica_gpu_s
from simulation.metrics.cost import CENT, mean_price, quantity
from simulation.metrics.distributions import Distribution
from simulation.metrics.fairness import shares_by_tenant
from simulation.metrics.jobs import JobTimes, deadlines
from simulation.records import Floats, JobOutcome, RunRecords
from simulation.scenario import Prices

Rows = NDArray[np.intp]


def tenant_rows(
    records: RunRecords, times: JobTimes, rho: Floats, quotas: dict[str, float], prices: Prices
) -> list[dict[str, Any]]:
    """Rows of all tenants by name. Share and entitlement are those of jobs: None for a tenant of services only."""
    jobs = records.jobs
    order = np.argsort(jobs.tenant, kind="stable")
    cuts = np.searchsorted(jobs.tenant[order], np.arange(len(jobs.tenants) + 1))
    rows = {name: order[cuts[i] : cuts[i + 1]] for i, name in enumerate(jobs.tenants)}
    gpu_s, entitled = shares_by_tenant(jobs, quotas)
    total_s = float(np.nansum(gpu_s))
    shares = dict(zip(jobs.tenants, zip(gpu_s / total_s if total_s else gpu_s, entitled, strict=True), strict=True))
    names = sorted(set(rows) | {service.tenant for service in records.services})
    held_s = replica_gpu_s(records)
    return [
        _row(records, name, rows.get(name, order[:0]), times, rho)
        | _share(*shares.get(name, (np.nan, np.nan)))
        | _use(records, name, rows.get(name, order[:0]), held_s, prices)
        for name in names
    ]


def _row(records: RunRecords, name: str, rows: Rows, times: JobTimes, rho: Floats) -> dict[str, Any]:
    jobs = records.jobs
    wait, fair = Distribution(times.wait_s[rows]), Distribution(rho[rows])
    decided, missed = deadlines(jobs, records.end_s)
    return {
        "tenant": name,
        "submitted": len(rows),
        "finished": int((jobs.outcome[rows] == JobOutcome.FINISHED).sum()),
        "wait_mean_s": wait.mean,
        "wait_p95_s": wait.quantile(0.95),
        "jct_mean_s": Distribution(times.jct_s[rows]).mean,
        "slowdown_mean": Distribution(times.slowdown[rows]).mean,
        "rho_mean": fair.mean,
        "rho_max": fair.quantile(1.0),
        "deadlines": int(decided[rows].sum()),
        "deadlines_missed": int(missed[rows].sum()),
    }


def _share(share: float, entitled: float) -> dict[str, Any]:
    return {
        "share": float(share) if np.isfinite(share) else None,
        "entitled": float(entitled) if np.isfinite(entitled) else None,
    }


def _use(records: RunRecords, name: str, rows: Rows, held_s: Floats, prices: Prices) -> dict[str, Any]:
    """GPU-hours of the tenant's jobs and replicas, and their price; idle capacity is nobody's.

    Where the price of a pool changed, everybody pays its mean over the GPU time that was used.
    """
    mine = [i for i, service in enumerate(records.services) if service.tenant == name]
    by_pool = records.jobs.gpu_s_by_pool[rows].sum(axis=0) + held_s[mine].sum(axis=0)
    usd: Decimal | None = Decimal(0)
    for index, used_s in enumerate(by_pool.tolist()):
        price = mean_price(records, index, prices)
        if used_s > 0:
            usd = None if usd is None or price is None else usd + quantity(float(used_s) / 3600) * price
    return {
        "gpu_h": float(by_pool.sum()) / 3600,
        "cost_usd": None if usd is None else float(usd.quantize(CENT)),
    }
