"""Request metrics: latency and its four parts, SLO attainment, goodput; per service and over all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation.metrics.definitions import Value
from simulation.metrics.distributions import Distribution
from simulation.records import Floats, RequestOutcome, RequestRecords, RunRecords

PARTS = ("queue_s", "batch_wait_s", "load_s", "execute_s")
PARTS_AT = (50.0, 95.0, 99.0, 99.9)


@dataclass(frozen=True, slots=True)
class ServiceRequests:
    """The requests of one service: rows of RequestRecords and how they stand to its SLO."""

    rows: slice
    latency: Distribution
    submitted: int
    served: int
    on_time: int | None  # None: the service has no SLO
    decided: int | None  # requests that are on time or can no longer be


def rows_of(requests: RequestRecords, service: int) -> slice:
    """Rows of one service; they are ordered by service."""
    first, last = np.searchsorted(requests.service, [service, service + 1])
    return slice(int(first), int(last))


def service_requests(records: RunRecords) -> list[ServiceRequests]:
    return [_of_service(records, i) for i in range(len(records.services))]


def _of_service(records: RunRecords, service: int) -> ServiceRequests:
    requests, slo_s = records.requests, records.services[service].slo_s
    rows = rows_of(requests, service)
    latency_s, outcome = requests.latency_s[rows], requests.outcome[rows]
    served = outcome == RequestOutcome.SERVED
    on_time = decided = None
    if slo_s is not None:
        on_time = int((latency_s[served] <= slo_s).sum())
        open_ = (outcome == RequestOutcome.UNFINISHED) & (requests.arrival_s[rows] + slo_s > records.end_s)
        decided = len(served) - int(open_.sum())
    unfinished = int((outcome == RequestOutcome.UNFINISHED).sum())
    spread = Distribution(latency_s[served], unfinished)
    return ServiceRequests(rows, spread, len(served), int(served.sum()), on_time, decided)


def request_metrics(records: RunRecords, services: list[ServiceRequests]) -> dict[str, Value]:
    """Latency over all services, SLO attainment and goodput over those with an SLO."""
    outcome = records.requests.outcome
    pooled = Distribution(records.requests.latency_s, int((outcome == RequestOutcome.UNFINISHED).sum()))
    on_time = sum(s.on_time for s in services if s.on_time is not None)
    decided = sum(s.decided for s in services if s.decided is not None)
    return {
        "latency_mean_s": pooled.mean_value("requests"),
        "latency_p50_s": pooled.quantile_value(0.50, "requests"),
        "latency_p95_s": pooled.quantile_value(0.95, "requests"),
        "latency_p99_s": pooled.quantile_value(0.99, "requests"),
        "slo_attainment": Value(on_time / decided, decided) if decided else Value(None, 0, _no_slo(services)),
        "goodput_per_s": Value(on_time / records.end_s, decided)
        if decided and records.end_s > 0
        else Value(None, 0, _no_slo(services)),
    }


def _no_slo(services: list[ServiceRequests]) -> str:
    if not services:
        return "no services"
    return "no service has an SLO" if all(s.on_time is None for s in services) else "no requests of a service with SLO"


def request_counts(requests: RequestRecords) -> dict[str, int]:
    counts = {outcome.name.lower(): int((requests.outcome == outcome).sum()) for outcome in RequestOutcome}
    return {"submitted": len(requests), **counts}


def service_rows(records: RunRecords, services: list[ServiceRequests]) -> list[dict[str, Any]]:
    """One row a service; late counts served requests only, the miss rate also those never answered."""
    return [_service_row(records, i, service) for i, service in enumerate(services)]


def _service_row(records: RunRecords, i: int, service: ServiceRequests) -> dict[str, Any]:
    info, spans, end_s = records.services[i], records.replica_spans, records.end_s
    mine = spans.owner == i
    gpu_s = float((spans.gpus[mine] * (spans.end_s[mine] - spans.start_s[mine])).sum())
    known = service.on_time is not None
    return {
        "service": info.name,
        "tenant": info.tenant,
        "requests": service.submitted,
        "served": service.served,
        "late": service.served - service.on_time if service.on_time is not None else None,
        "miss_rate": 1 - (service.on_time or 0) / service.decided if service.decided else None,
        "mean_s": service.latency.mean,
        "p50_s": service.latency.quantile(0.50),
        "p95_s": service.latency.quantile(0.95),
        "p99_s": service.latency.quantile(0.99),
        "goodput_per_s": (service.on_time or 0) / end_s if known and end_s > 0 else None,
        "mean_replicas": gpu_s / info.gpus_per_replica / end_s if end_s > 0 else None,
    }


def latency_parts(requests: RequestRecords, service: ServiceRequests) -> list[dict[str, Any]]:
    """What a high percentile consists of: the parts add up to the percentile.

    The shares are those of the requests whose latency is nearest to the percentile (between the values at ranks a
    quarter of a percent below and above, or a quarter of the tail beyond where that is less; `n` of them), scaled to
    its latency.
    """
    if not service.latency.n:
        return []
    latency_s = requests.latency_s[service.rows]
    return [_parts_at(requests, service, latency_s, percentile) for percentile in PARTS_AT]


def _parts_at(
    requests: RequestRecords, service: ServiceRequests, latency_s: Floats, percentile: float
) -> dict[str, Any]:
    spread, q = service.latency, percentile / 100
    half = min(0.0025, (1 - q) / 4)
    low = spread.values[math.floor((spread.n - 1) * (q - half))]
    high = spread.values[math.ceil((spread.n - 1) * (q + half))]
    near = np.flatnonzero((latency_s >= low) & (latency_s <= high)) + service.rows.start
    total_s = spread.quantile(q) or 0.0
    parts = {part: float(getattr(requests, part)[near].mean()) for part in PARTS}
    whole = sum(parts.values())
    scale = total_s / whole if whole > 0 else 0.0
    scaled = {part: value * scale for part, value in parts.items()}
    return {"percentile": percentile, **scaled, "total_s": total_s, "n": len(near)}


def executions(records: RunRecords, service: int) -> tuple[Floats, Floats, Floats]:
    """Start, end and weight of a service's batches; weights make their total the recorded busy time, in GPU-seconds.

    Requests of one batch begin and end together and follow each other. Batches that begin at one instant with one
    duration cannot be told apart in the records; the weight makes up for them.
    """
    requests, info = records.requests, records.services[service]
    rows = rows_of(requests, service)
    served = requests.outcome[rows] == RequestOutcome.SERVED
    execute_s = requests.execute_s[rows][served]
    start_s = (requests.arrival_s[rows] + requests.latency_s[rows])[served] - execute_s
    if not len(start_s):
        return start_s, start_s, start_s
    first = np.concatenate([[True], (np.diff(start_s) > 1e-6) | (np.diff(execute_s) != 0)])
    start_s, execute_s = start_s[first], execute_s[first]
    busy_gpu_s = float(records.replica_busy_s[service]) * info.gpus_per_replica
    total_s = float(execute_s.sum())
    weight = np.full(len(start_s), busy_gpu_s / total_s if total_s > 0 else 0.0)
    return start_s, np.minimum(start_s + execute_s, records.end_s), weight
