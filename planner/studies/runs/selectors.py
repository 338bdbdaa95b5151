"""What pages show of the queue of a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, Value, When

from planner.accounts.models import Workspace
from planner.studies.models import Process, Run
from planner.studies.runs.presence import processes_alive

_ROWS = 200


@dataclass(frozen=True, slots=True)
class QueueState:
    """Counts are of this workspace; workers (and their slots, runs at once) serve all workspaces."""

    running: int
    waiting: int
    failed: int
    workers: int
    slots: int
    rows: list[Run]  # those at work first, then those that wait, in their order; at most 200


def queue_state(workspace: Workspace) -> QueueState:
    runs = Run.objects.filter(scenario__study__workspace=workspace)
    counts = runs.aggregate(
        running=Count("pk", filter=Q(state=Run.State.RUNNING)),
        waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
        failed=Count("pk", filter=Q(state=Run.State.FAILED)),
    )
    workers = processes_alive(Process.Kind.WORKER).aggregate(workers=Count("pk"), slots=Sum("slots", default=0))
    return QueueState(**counts, **workers, rows=list(_rows(runs)))


def _rows(runs: QuerySet[Run]) -> QuerySet[Run]:
    at_work_first = Case(When(state=Run.State.RUNNING, then=Value(0)), default=Value(1), output_field=IntegerField())
    unfinished = runs.filter(state__in=(Run.State.RUNNING, Run.State.QUEUED)).select_related("scenario__study")
    return unfinished.order_by(at_work_first, "created_at", "id")[:_ROWS]
