"""The figures of one run, out of its result document and those it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.studies.documents import base_run, distributions_of, document_of
from planner.studies.models import Run
from planner.web.figures.bars import gang_figure, latency_figure
from planner.web.figures.distribution import Curve, banded, distribution, distribution_figure
from planner.web.figures.figure import Figure
from planner.web.figures.usage import usage_figure
from planner.web.measured_rows import measured_curve, workload_of
from planner.web.numbers import written
from planner.web.study_facts import Part
from simulation.provenance import Origin

_SPREADS = (
    ("wait", "Queueing delay: how long jobs wait", "Queueing delay"),
    ("jct", "Job completion time, submission to end", "Job completion time"),
)
_QUANTILES = {"wait_p95_s": 0.95, "wait_p99_s": 0.99, "jct_p50_s": 0.5, "jct_p95_s": 0.95, "jct_p99_s": 0.99}


def figures(run: Run, document: dict[str, Any], color: int) -> dict[str, Any]:
    """By their place on the page, and `all` of them in its order. `color`: the scenario's own, 0 for the base."""
    base = None if run.scenario.position == 0 else base_run(run.scenario.study, run.seed)
    others = distributions_of(run.scenario)
    workload = workload_of(run)
    spread = []
    for name, title, quantity in _SPREADS:
        curves = _curves(name, run, document, base, others, color)
        if measured := measured_curve(workload, name):
            curves.append(measured)
        spread.append(distribution_figure(name, title, quantity, "jobs", curves, limit=_limit(run, name)))
    limits = _service_limits(workload)
    latencies = [
        latency_figure(service, rows, _origin(document, "latency_p99_s"), limits.get(service))
        for service, rows in sorted(document["latency_parts"].items())
    ]
    gangs = gang_figure(document["wait_by_gang"], _origin(document, "wait_mean_s"))
    usage = _usage(run, document)
    every = [*spread, gangs, *latencies, usage]
    return {"spread": spread, "latencies": latencies, "gangs": gangs, "usage": usage, "all": every}


def _curves(
    name: str, run: Run, document: dict[str, Any], base: Run | None, others: list[dict[str, Any]], color: int
) -> list[Curve]:
    own = distribution(document, name)
    origin = _origin(document, "wait_mean_s" if name == "wait" else "jct_mean_s")
    band = banded(d[name]["curve"] for d in others if d.get(name))
    curves = [_curve("this run", f"sc{color}", origin, own, band if len(others) > 1 else (), main=True)]
    if base is not None and (theirs := document_of(base)):
        curves.append(_curve("base", "sc0", origin, distribution(theirs, name)))
    return curves


def _curve(
    name: str, color: str, origin: Origin, found: dict[str, Any], band: Sequence[Any] = (), *, main: bool = False
) -> Curve:
    points, n, censored = found.get("curve", ()), found.get("n", 0), found.get("censored", 0)
    return Curve(name, color, origin, points, n, censored, band, main)


def _service_limits(workload: Part | None) -> dict[str, float]:
    """The SLO of each service, as the workload's summary has it."""
    services = workload.revision.summary.get("services", []) if workload else []
    return {s["name"]: s["slo_s"] for s in services if s.get("slo_s")}


def _limit(run: Run, name: str) -> tuple[float, float] | None:
    """The corner of the first hard limit of the study that speaks of this distribution."""
    for slo in run.scenario.study.slos:
        if slo["metric"].startswith(f"{name}_") and slo["metric"] in _QUANTILES and slo.get("hard", True):
            return _QUANTILES[slo["metric"]], slo["limit"]
    return None


def _origin(document: dict[str, Any], metric: str) -> Origin:
    return Origin(document["metrics"][metric]["origin"])


def _usage(run: Run, document: dict[str, Any]) -> Figure:
    kept = {name: written(value / 3600, 0) for name, value in document["conservation"].items()}
    text = (
        f"seed {run.seed}. GPU-hours of jobs: {kept['gpu_s_allocated']} allocated = {kept['useful']} useful + "
        f"{kept['overhead']} overhead + {kept['lost']} lost."
    )
    return usage_figure(document["timeline"], _origin(document, "utilisation_allocated"), text)
