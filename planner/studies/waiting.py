"""The queue as it is waited in: places over all workspaces, when each run is likely done, what ended lately."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from planner.accounts.models import Workspace
from planner.studies.models import Run
from planner.studies.pace import paces, slots_alive, takes_s, work_left

LATELY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Place:
    """`place` 0: at work. `done_in_s` is a range from now; None is unsure."""

    run: Run
    place: int
    done_in_s: tuple[float, float] | None


def places(rows: Iterable[Run]) -> Iterator[Place]:
    """Runs that are open, in their order, each with its place among all that wait on this installation."""
    ahead = {id: n for n, id in enumerate(_waiting_everywhere(), 1)}
    known, slots = paces(Run.objects.all()), slots_alive()
    before: dict[str, float] = defaultdict(float)
    for run in rows:
        system = run.scenario.spec["training"]["system"]
        left = 1.0 - run.progress
        if run.state == Run.State.RUNNING:
            yield Place(run, 0, takes_s({system: left}, known, min(slots, 1)))
        else:
            yield Place(run, ahead.get(run.id, 0), takes_s({**before, system: before[system] + left}, known, slots))
        before[system] += left


def rest_of(workspace: Workspace) -> tuple[float, float] | None:
    """How long all open runs of a workspace take together, as if they stood first; None is unsure."""
    runs = Run.objects.filter(scenario__study__workspace=workspace)
    return takes_s(work_left(runs), paces(Run.objects.all()), slots_alive())


def _waiting_everywhere() -> list[uuid.UUID]:
    return list(Run.objects.filter(state=Run.State.QUEUED).order_by("created_at", "id").values_list("id", flat=True))


@dataclass(frozen=True, slots=True)
class Ended:
    counts: dict[str, int]
    rows: list[Run]


def ended_lately(workspace: Workspace, shown: int) -> Ended:
    """Runs of the last day that ended: counts by state, and so many of them, those that failed first, newest first."""
    runs = Run.objects.filter(
        scenario__study__workspace=workspace, state__in=Run.FINAL, finished_at__gt=timezone.now() - LATELY
    )
    counts = Counter(runs.values_list("state", flat=True))
    newest = runs.select_related("scenario__study", "result").defer("result__document", "result__metrics")
    failed_first = Case(When(state=Run.State.FAILED, then=Value(0)), default=Value(1), output_field=IntegerField())
    return Ended(dict(counts), list(newest.order_by(failed_first, "-finished_at", "id")[:shown]))
