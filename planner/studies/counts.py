"""How many runs of a workspace are under way and waiting: the one number that every page shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from planner.accounts.models import Workspace
from planner.studies.models import Run


@dataclass(frozen=True, slots=True)
class QueueCounts:
    running: int
    waiting: int


def queue_counts(workspace: Workspace) -> QueueCounts:
    rows = Run.objects.filter(scenario__study__workspace=workspace).aggregate(
        running=Count("id", filter=Q(state=Run.State.RUNNING)), waiting=Count("id", filter=Q(state=Run.State.QUEUED))
    )
    return QueueCounts(**rows)
