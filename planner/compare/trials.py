"""Where a system has run in a workspace: its best scenario of each study, and how it stands there."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from planner.accounts.models import Workspace
from planner.compare.board import Board, Row, board
from planner.compare.cells import Cell
from planner.studies.models import Run, Study
from simulation.metrics.definitions import METRICS

JUDGED = {"training": "jct_mean_s", "inference": "latency_p99_s"}
"""What a system schedules -> the metric by which its scenarios are put in order."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Trial:
    """The best scenario of a system in one study: place `place` of `of` scenarios, by the metric of `cell`."""

    study: Study
    row: Row
    cell: Cell
    place: int
    of: int


def trials(workspace: Workspace, system: str, workload: str) -> list[Trial]:
    """The newest few studies in which a run of the system is done; no two of them need be comparable."""
    part = {"training": "training", "inference": "serving"}[workload]
    runs = Q(**{f"scenarios__spec__{part}__system": system, "scenarios__runs__state": Run.State.DONE})
    found = Study.objects.filter(runs, workspace=workspace, archived_at=None).distinct().order_by("-created_at")
    boards = (board(study, metrics=[JUDGED[workload]]) for study in found[:MOST])
    return [trial for table in boards if (trial := _trial(table, part, system, JUDGED[workload]))]


def _trial(table: Board, part: str, system: str, metric: str) -> Trial | None:
    ids = {s.id for s in table.study.scenarios.filter(**{f"spec__{part}__system": system})}
    sign = -1 if METRICS[metric].better == "higher" else 1
    known = [(row, cell) for row in table.rows if (cell := row.cells.get(metric)) and cell.value is not None]
    ordered = sorted(known, key=lambda pair: sign * pair[1].value)
    for place, (row, cell) in enumerate(ordered, start=1):
        if row.scenario_id in ids:
            return Trial(table.study, row, cell, place, len(ordered))
    return None
