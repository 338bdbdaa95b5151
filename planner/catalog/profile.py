"""Facts about a revision that lists and pages show, worked out once when it is saved."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from simulation.formats.measured import spread
from simulation.scenario import Cluster, JobTable, Prices, Service, Slo, Workload

DAY_S = 86_400.0
HOUR_S = 3600.0
GANGS = ((1, "1"), (4, "2-4"), (8, "5-8"), (16, "9-16"), (32, "17-32"), (math.inf, "33+"))
TENANTS_SHOWN = 50
BINS_SHOWN = 120
BIN_WIDTHS_S = (HOUR_S, DAY_S)


def of_workload(workload: Workload) -> dict[str, Any]:
    services = [_service(service) for service in workload.services]
    longest = max((service["span_s"] for service in services), default=0.0)
    jobs = _jobs(workload.jobs) if workload.jobs else {"jobs": 0, "gpu_h": 0.0, "span_s": longest}
    return {**jobs, "services": services}


def _jobs(jobs: JobTable) -> dict[str, Any]:
    work = [seconds * gpus / HOUR_S for seconds, gpus in zip(jobs.duration_s, jobs.gpus, strict=True)]
    total = math.fsum(work)
    return {
        "jobs": len(jobs),
        "gpu_h": total,
        "span_s": max(jobs.submit_s) - min(jobs.submit_s) if len(jobs) else 0.0,
        "largest_gang": max(jobs.gpus, default=0),
        "least_gangs": _least_gangs(jobs),
        "duration": spread(jobs.duration_s).document(),
        "gangs": _by_gang(jobs.gpus, work),
        "tenants": _by_tenant(jobs.tenant, work, total),
        "tenants_in_all": len(set(jobs.tenant)) if jobs.tenant else 0,
        "arrivals": _arrivals(jobs.submit_s, work),
    }


def _least_gangs(jobs: JobTable) -> list[dict[str, Any]]:
    """For each set of permitted models ([]: any) the most GPUs that a job of it needs at least."""
    largest: dict[tuple[str, ...], int] = defaultdict(int)
    permitted = [tuple(sorted(set(models))) for models in jobs.gpu_models] if jobs.gpu_models else [()] * len(jobs)
    for models, gpus in zip(permitted, jobs.gpus_min or jobs.gpus, strict=True):
        largest[models] = max(largest[models], gpus)
    return [{"models": list(models), "gpus": gpus} for models, gpus in sorted(largest.items())]


def _by_gang(gpus: Sequence[int], work: Sequence[float]) -> list[dict[str, Any]]:
    rows = {label: {"gang": label, "jobs": 0, "gpu_h": 0.0} for _, label in GANGS}
    for size, gpu_h in zip(gpus, work, strict=True):
        row = rows[next(label for limit, label in GANGS if size <= limit)]
        row["jobs"] += 1
        row["gpu_h"] += gpu_h
    return [row for row in rows.values() if row["jobs"]]


def _by_tenant(tenants: Sequence[str] | None, work: Sequence[float], total: float) -> list[dict[str, Any]]:
    """The largest tenants by work; [] where the jobs name none."""
    jobs: dict[str, int] = defaultdict(int)
    gpu_h: dict[str, float] = defaultdict(float)
    for tenant, amount in zip(tenants or [], work, strict=False):
        jobs[tenant] += 1
        gpu_h[tenant] += amount
    largest = sorted(jobs, key=lambda tenant: (-gpu_h[tenant], tenant))[:TENANTS_SHOWN]
    return [
        {"tenant": t, "jobs": jobs[t], "gpu_h": gpu_h[t], "share": gpu_h[t] / total if total else 0.0} for t in largest
    ]


def _arrivals(submit_s: Sequence[float], work: Sequence[float]) -> dict[str, Any]:
    """Jobs and GPU-hours by hour, day or several days of submission: as fine as a figure can show."""
    last = max(submit_s, default=0.0)
    width = next((w for w in BIN_WIDTHS_S if last / w < BINS_SHOWN), math.ceil(last / DAY_S / BINS_SHOWN + 1) * DAY_S)
    jobs = [0] * (int(last // width) + 1)
    gpu_h = [0.0] * len(jobs)
    for at, amount in zip(submit_s, work, strict=True):
        index = int(at // width)
        jobs[index] += 1
        gpu_h[index] += amount
    return {"bin_s": width, "jobs": jobs, "gpu_h": gpu_h}


def _service(service: Service) -> dict[str, Any]:
    requests = service.requests
    facts = service.model_dump(mode="json", exclude={"requests"})
    times = requests.times_s
    if times is not None:
        span = max(times, default=0.0) - min(times, default=0.0)
        rate = (len(times) - 1) / span if span else None
        return {**facts, "requests": len(times), "span_s": span, "rate_per_s": rate}
    phases = requests.phases or []
    return {**facts, "requests": None, "span_s": requests.end_s, "rate_per_s": max(p.rate_per_s for p in phases)}


def of_cluster(cluster: Cluster) -> dict[str, Any]:
    models: dict[str, int] = defaultdict(int)
    for pool in cluster.pools:
        models[pool.gpu_model] += pool.gpus
    return {
        "gpus": cluster.gpus,
        "nodes": sum(pool.nodes for pool in cluster.pools),
        "pools": len(cluster.pools),
        "models": [{"model": model, "gpus": gpus} for model, gpus in models.items()],
    }


def of_prices(prices: Prices) -> dict[str, Any]:
    amounts = [line.usd_per_gpu_h for line in prices.lines]
    return {
        "lines": len(amounts),
        "lowest": str(min(amounts)) if amounts else None,
        "highest": str(max(amounts)) if amounts else None,
    }


def of_slos(slos: list[Slo]) -> dict[str, Any]:
    return {"limits": len(slos), "hard": sum(slo.hard for slo in slos)}
