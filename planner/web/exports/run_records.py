"""The tables of a result document as records, each with the origin of its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simulation.metrics.definitions import METRICS

Document = dict[str, Any]
Rows = Iterator[dict[str, Any]]


def _metrics(document: Document) -> Rows:
    for name, reported in document["metrics"].items():
        metric = METRICS.get(name)
        yield {"metric": name, "title": metric.title if metric else name, **reported}


def _tenants(document: Document) -> Rows:
    for row in document["tenants"]:
        yield {**row, "origin": _origin(document, "wait_mean_s"), "cost_origin": _origin(document, "cost_usd")}


def _services(document: Document) -> Rows:
    for row in document["services"]:
        yield {**row, "origin": _origin(document, "latency_p99_s")}


def _costs(document: Document) -> Rows:
    for row in document["costs"]:
        yield {**row, "origin": _origin(document, "cost_usd")}


def _latency(document: Document) -> Rows:
    """The parts of latency of each service, which add up to the whole."""
    for service, rows in document["latency_parts"].items():
        for row in rows:
            yield {"service": service, **row, "origin": _origin(document, "latency_p99_s")}


def _origin(document: Document, metric: str) -> str:
    return str(document["metrics"][metric]["origin"])


RECORDS: dict[str, Callable[[Document], Rows]] = {
    "metrics": _metrics,
    "tenants": _tenants,
    "services": _services,
    "costs": _costs,
    "latency": _latency,
}
