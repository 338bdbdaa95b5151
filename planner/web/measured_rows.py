"""The table "Simulated against measured" of a baseline run, and the measured points beside simulated curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.compare.measured import FACTS, Held, held_against, measured_points
from planner.studies.models import Run
from planner.web.figures.distribution import Curve
from planner.web.study_facts import Part, parts
from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin

_NAMES = {"wait": ("wait_mean_s", "Wait"), "jct": ("jct_mean_s", "JCT")}


@dataclass(frozen=True, slots=True)
class Against:
    """One quantity: its statistics, with what both sides counted."""

    term: str  # metric that the glossary explains
    title: str
    rows: list[Held]
    measured_n: int
    simulated_n: int
    censored: int


@dataclass(frozen=True, slots=True)
class Table:
    workload: Part
    measured: Origin
    simulated: Origin
    quantities: list[Against]
    run: Run
    replayed: bool  # the very jobs of the log, as they were submitted


def measured_curve(workload: Part | None, name: str) -> Curve | None:
    """What the log of the workload measured, as points; None where it has none."""
    summary = workload.revision.summary if workload else {}
    points = measured_points(summary, name)
    if workload is None or not points:
        return None
    origin = Origin(workload.revision.source.origin)
    return Curve(workload.name, str(origin), origin, points, summary[FACTS[name]]["n"], joined=False)


def against_measured(run: Run, document: Mapping[str, Any]) -> Table | None:
    """None where `run` is not of the base, or where no log was measured."""
    workload = workload_of(run)
    if run.scenario.position or workload is None:
        return None
    summary = workload.revision.summary
    found = [_against(name, summary, document) for name in FACTS if held_against(summary, document, name)]
    if not found:
        return None
    sampling = run.scenario.spec.get("sampling", {})
    return Table(
        workload=workload,
        measured=Origin(workload.revision.source.origin),
        simulated=Origin(document["metrics"]["wait_mean_s"]["origin"]),
        quantities=found,
        run=run,
        replayed=sampling.get("mode", "replay") == "replay" and sampling.get("demand_factor", 1.0) == 1.0,
    )


def workload_of(run: Run) -> Part | None:
    found = parts(run.scenario.study.workspace, run.scenario.spec)
    return next((part for part in found if part.role == "workload"), None)


def _against(name: str, summary: Mapping[str, Any], document: Mapping[str, Any]) -> Against:
    rows = held_against(summary, document, name)
    term, title = _NAMES[name]
    simulated = document["distributions"][name]
    return Against(
        term=METRICS[term].name,
        title=title,
        rows=rows,
        measured_n=summary[FACTS[name]]["n"],
        simulated_n=simulated.get("n", 0),
        censored=simulated.get("censored", 0),
    )
