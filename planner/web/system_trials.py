"""Beside a system: what it did in this workspace, and the workloads on which it can be tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.accounts.models import Workspace
from planner.catalog.models import Kind
from planner.catalog.selectors import items
from planner.compare.trials import JUDGED, Trial, trials
from planner.web.numbers import scale_for, written
from planner.web.study_links import FIELDS
from planner.web.study_table import interval

if TYPE_CHECKING:
    from simulation.systems.system import System

_HOLDS = {"training": "jobs", "inference": "services"}
"""What a system schedules -> what a workload must hold of it, as its summary says."""


@dataclass(frozen=True, slots=True)
class Line:
    trial: Trial
    spread: str
    against: str


def beside(workspace: Workspace, system: System) -> dict[str, Any]:
    """What the templates of the box and of the table need."""
    holds = _HOLDS[system.workload]
    return {
        "trials": [_line(trial) for trial in trials(workspace, system.slug, system.workload)],
        "judged": JUDGED[system.workload],
        "logs": [one for one in items(workspace, Kind.WORKLOAD) if one.newest_id and one.newest_summary.get(holds)],
        "ticks": FIELDS[system.workload],
    }


def _line(trial: Trial) -> Line:
    scale = scale_for(trial.cell.unit, [trial.cell.value])
    return Line(trial, interval(trial.cell, scale), _against(trial))


def _against(trial: Trial) -> str:
    """How it stands against the base of its study, in words."""
    found = trial.cell.difference
    if found is None or found.absolute is None:
        return "is the base" if trial.row.is_base else "no difference known"
    if not found.shown:
        return found.words
    scale = scale_for(trial.cell.unit, [found.absolute])
    share = "" if found.relative is None else f" ({written(100 * found.relative, 0, sign=True)} %)"
    return f"{scale.text(found.absolute, sign=True)} {scale.unit}{share}"
