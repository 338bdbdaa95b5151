"""What pages show of the queue of a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from planner.accounts.models import Workspace
from planner.studies.models import Run
from planner.studies.runs.presence import Workforce, workforce

_ROWS = 200


@dataclass(frozen=True, slots=True)
class QueueState:
    """Counts are of this workspace; the workforce serves all workspaces."""

    running: int
    waiting: int
    failed: int
    workforce: Workforce
    rows: list[Run]  # those at work first, then those that wait, in their order; at most 200


def queue_state(workspace: Workspace) -> QueueState:
    runs = Run.objects.filter(scenario__study__workspace=workspace)
    counts = runs.aggregate(
        running=Count("pk", filter=Q(state=Run.State.RUNNING)),
        waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
        failed=Count("pk", filter=Q(state=Run.State.FAILED)),
    )
    return QueueState(**counts, workforce=workforce(), rows=list(_rows(runs)))


def _rows(runs: QuerySet[Run]) -> QuerySet[Run]:
    at_work_first = Case(When(state=Run.State.RUNNING, then=Value(0)), default=Value(1), output_field=IntegerField())
    unfinished = runs.filter(state__in=(Run.State.RUNNING, Run.State.QUEUED)).select_related("scenario__study")
    return unfinished.order_by(at_work_first, "created_at", "id")[:_ROWS]
