"""The check that names rows: what does not fit within a document, or between the parts of a scenario.

One set of functions serves the forms, the study builder and the API. An error stops; a warning is said and kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.catalog.costs import line_for
from planner.catalog.hardware import known_model
from simulation.hardware import NodeChange
from simulation.metrics.definitions import METRICS
from simulation.prices import line_fits
from simulation.scenario import Cluster, Pool, PriceLine, Prices, Slo


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where: part and row as a person would point to them."""

    part: str
    row: str
    text: str
    stops: bool = False

    def __str__(self) -> str:
        return f"{self.part}, {self.row}: {self.text}"


def of_cluster(cluster: Cluster) -> Iterator[Problem]:
    for pool in cluster.pools:
        row = f"pool {pool.name}"
        if pool.gpus_per_node and not known_model(pool.gpu_model):
            yield Problem("cluster", row, f"{pool.gpu_model} is not a GPU model that we know; its figures stay unknown")
        if pool.gpus and (pool.idle_w is None or pool.peak_w is None):
            yield Problem("cluster", row, "idle or peak power is unknown, so energy will be unknown")
        if pool.idle_w is not None and pool.peak_w is not None and pool.idle_w > pool.peak_w:
            yield Problem("cluster", row, f"idle power {pool.idle_w:g} W is above peak {pool.peak_w:g} W", stops=True)
        yield from _of_details(pool, cluster.changes)
    if not cluster.gpus:
        yield Problem("cluster", "all pools", "there is no GPU", stops=True)
    models = {pool.gpu_model for pool in cluster.pools if pool.gpus}
    if len(models) > 1 and len({pool.speed for pool in cluster.pools if pool.gpus}) == 1:
        yield Problem("cluster", "all pools", f"{', '.join(sorted(models))} are taken to run at the same speed")


def _of_details(pool: Pool, changes: list[NodeChange]) -> Iterator[Problem]:
    row, island = f"pool {pool.name}", pool.links.island_gpus
    if island is not None and island > pool.gpus_per_node:
        yield Problem("cluster", row, f"an island of {island} GPUs in nodes of {pool.gpus_per_node}: the node counts")
    if pool.starts_down and not any(change.up and change.pool == pool.name for change in changes):
        yield Problem("cluster", row, "its nodes are down at the start, and no recorded change brings any up")


def of_prices(prices: Prices) -> Iterator[Problem]:
    """Two lines that claim the same pools under the same purchase overlap: which one holds would be a guess."""
    seen: dict[tuple[str | None, str | None, str | None], int] = {}
    for at, line in enumerate(prices.lines, start=1):
        key = (line.pool, line.gpu_model, line.purchase)
        if key in seen:
            text = f"overlaps line {seen[key]}: both price {said(line)}; keep one, or give them different purchases"
            yield Problem("price sheet", f"line {at}", text, stops=True)
        seen.setdefault(key, at)


def said(line: PriceLine) -> str:
    """What a price line is for, in words."""
    what = f"pool {line.pool}" if line.pool else line.gpu_model or "every pool"
    return f"{what}, {line.purchase}" if line.purchase else what


def of_cost(cluster: Cluster, prices: Prices) -> Iterator[Problem]:
    for pool in cluster.pools:
        if pool.gpus and line_for(prices, pool) is None:
            offers = [said(line) for line in prices.lines if _meant_for(line, pool)]
            else_ = (
                f" ({'; '.join(offers)} {'do' if len(offers) > 1 else 'does'} not fit {pool.purchase})"
                if offers
                else ""
            )
            text = f"has no price for {pool.gpu_model}, {pool.purchase}{else_}; its cost stays unknown"
            yield Problem("prices", f"pool {pool.name}", text)
    for at, line in enumerate(prices.lines, start=1):
        if not any(line_fits(line, pool.name, pool.gpu_model, pool.purchase) for pool in cluster.pools):
            yield Problem("prices", f"line {at}", f"{said(line)} fits no pool of {cluster.name}")


def _meant_for(line: PriceLine, pool: Pool) -> bool:
    """Whether a line names the pool or its model (or nothing), whatever the class of purchase."""
    return line.pool == pool.name if line.pool else line.gpu_model in (None, pool.gpu_model)


def of_work(cluster: Cluster, summary: dict[str, Any]) -> Iterator[Problem]:
    """Whether the jobs and services of a workload (by its revision's summary) can run on the cluster at all."""
    if not cluster.gpus:
        return
    gangs = summary.get("least_gangs", [])
    rooms = [_room(cluster, gang["models"]) for gang in gangs]
    for gang, room in zip(gangs, rooms, strict=True):
        yield from _rejected(gang["models"], gang["gpus"], room)
    if gangs and not any(rooms) and not summary.get("services"):
        yield Problem("workload", "all jobs", "no pool has a GPU model that they may use", stops=True)
    for service in summary.get("services", []):
        room = _room(cluster, service["gpu_models"])
        if service["gpus_per_replica"] > room:
            text = f"a replica needs {service['gpus_per_replica']} equal GPUs, the cluster has {room} that it may use"
            yield Problem("workload", f"service {service['name']}", f"{text}: no request will be answered")
    span_h = summary.get("span_s", 0.0) / 3600
    if span_h and cluster.gpus and summary.get("gpu_h", 0.0) > span_h * cluster.gpus:
        load = summary["gpu_h"] / (span_h * cluster.gpus)
        yield Problem("workload", "demand", f"is {load:.0%} of the cluster's capacity: waits grow until the end")


def _rejected(models: list[str], gpus: int, room: int) -> Iterator[Problem]:
    bound = f" of {' or '.join(models)}" if models else ""
    if not room:
        yield Problem("workload", f"jobs that need GPUs{bound}", "no pool has them: these jobs will be rejected")
    elif gpus > room:
        text = f"needs {gpus} equal GPUs{bound}, the cluster has {room}: jobs of that size will be rejected"
        yield Problem("workload", "largest job", text)


def _room(cluster: Cluster, models: list[str]) -> int:
    """The most GPUs that one gang can get: all of one model and speed, over all pools; `models` []: of any model."""
    sizes: Counter[tuple[str, float]] = Counter()
    for pool in cluster.pools:
        if not models or pool.gpu_model in models:
            sizes[pool.gpu_model, pool.speed] += pool.gpus
    return max(sizes.values(), default=0)


def of_slos(slos: list[Slo]) -> Iterator[Problem]:
    for at, slo in enumerate(slos, start=1):
        if slo.metric not in METRICS:
            yield Problem("SLO set", f"limit {at}", f"{slo.metric} is not a metric of this engine", stops=True)
    for metric, times in Counter(slo.metric for slo in slos).items():
        if times > 1:
            yield Problem("SLO set", metric, f"has {times} limits; keep one", stops=True)


def of_scenario(
    cluster: Cluster, prices: Prices | None, workload: dict[str, Any], slos: list[Slo] | None = None
) -> list[Problem]:
    """Everything that can be said before any run is queued. `workload` is the summary of a workload revision."""
    found = [*of_cluster(cluster), *of_work(cluster, workload)]
    if prices is None:
        found.append(Problem("prices", "price sheet", "none is chosen, so cost stays unknown"))
    else:
        found += [*of_prices(prices), *of_cost(cluster, prices)]
    return [*found, *of_slos(slos or [])]
