"""The result document of a run, assembled from the families of metrics. Plain JSON values; no NaN, no infinity."""

from __future__ import annotations

import math
from typing import Any

from simulation import ENGINE_VERSION
from simulation.metrics.capacity import pool_use
from simulation.metrics.cost import CostLine, cost_lines
from simulation.metrics.definitions import METRICS, Metric, Value
from simulation.metrics.distributions import Distribution
from simulation.metrics.energy import energy_metrics, pool_energy_kwh
from simulation.metrics.fairness import fairness_metrics, finish_time_fairness
from simulation.metrics.jobs import (
    conservation,
    job_counts,
    job_distributions,
    job_metrics,
    job_times,
    unfinished,
    wait_by_gang,
)
from simulation.metrics.requests import latency_parts, request_counts, request_metrics, service_requests, service_rows
from simulation.metrics.tenants import tenant_rows
from simulation.metrics.timeline import timeline
from simulation.metrics.utilisation import utilisation_metrics
from simulation.provenance import Origin, weakest
from simulation.records import RunRecords
from simulation.scenario import Origins, Scenario


def summarise(records: RunRecords, scenario: Scenario) -> dict[str, Any]:
    """The document of a run: metrics with unit, n, origin and note; distributions; tables; time line; counts."""
    jobs = records.jobs
    times = job_times(jobs)
    rho = finish_time_fairness(jobs, times, sum(pool.gpus for pool in records.pools), records.end_s)
    spread = job_distributions(jobs, times) | {"rho": Distribution(rho, int(unfinished(jobs).sum()))}
    services = service_requests(records)
    lines, priced = _money_and_energy(records, scenario)
    values = {
        **job_metrics(jobs, spread, records.end_s),
        **fairness_metrics(jobs, times, spread["rho"], scenario.quotas),
        **request_metrics(records, services),
        **utilisation_metrics(records, pool_use(records)),
        **priced,
    }
    latencies = {f"latency:{info.name}": s.latency for info, s in zip(records.services, services, strict=True)}
    document = {
        "engine": ENGINE_VERSION,
        "end_s": float(records.end_s),
        "metrics": {name: _entry(metric, values[name], scenario.origins) for name, metric in METRICS.items()},
        "distributions": {name: spread[name].document(unit) for name, unit in JOB_UNITS.items()}
        | {name: latency.document("s") for name, latency in latencies.items()},
        "wait_by_gang": wait_by_gang(jobs, times),
        "latency_parts": {
            info.name: latency_parts(records.requests, s) for info, s in zip(records.services, services, strict=True)
        },
        "services": service_rows(records, services),
        "tenants": tenant_rows(records, times, rho, scenario.quotas, scenario.prices),
        "timeline": timeline(records),
        "costs": [line.document() for line in lines],
        "counts": {"jobs": job_counts(jobs), "requests": request_counts(records.requests)},
        "decisions": {name: int(count) for name, count in sorted(records.decisions.items())},
        "conservation": conservation(jobs),
    }
    plain: dict[str, Any] = _finite(document)
    return plain


JOB_UNITS = {"jct": "s", "wait": "s", "slowdown": "1", "rho": "1"}


def _money_and_energy(records: RunRecords, scenario: Scenario) -> tuple[list[CostLine], dict[str, Value]]:
    use = pool_use(records)
    energy_kwh = pool_energy_kwh(records, use, scenario.cluster.pue)
    lines, cost = cost_lines(records, scenario.prices, use, energy_kwh)
    return lines, {"cost_usd": cost, **energy_metrics(records, energy_kwh, scenario.prices.carbon_g_per_kwh)}


def _entry(metric: Metric, value: Value, origins: Origins) -> dict[str, Any]:
    inputs = (*metric.inputs, *value.rests_on)
    origin = weakest([Origin.SIMULATED, *(getattr(origins, group) for group in inputs)])
    return {
        "value": value.value,
        "unit": metric.unit,
        "n": value.n,
        "origin": origin.value,
        "inputs": list(inputs),
        "note": value.note,
    }


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
