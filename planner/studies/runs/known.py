"""A question that has been answered before is not computed again."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now

from planner.studies.models import Result, Run, Scenario
from simulation import ENGINE_VERSION


def _answers() -> QuerySet[Result]:
    """The stored result of the run of the outer query. Subqueries, not joins: an UPDATE must test its own row."""
    digest = Scenario.objects.filter(pk=OuterRef(OuterRef("scenario_id"))).values("digest")
    return Result.objects.filter(seed=OuterRef("seed"), engine_version=ENGINE_VERSION, scenario_digest__in=digest)


def runs_answer(run_ids: Collection[UUID]) -> int:
    """Complete those queued runs whose result is stored already; how many there were."""
    queued = Run.objects.filter(pk__in=run_ids, state=Run.State.QUEUED, cancel_requested=False)
    return queued.filter(Exists(_answers())).update(
        state=Run.State.DONE,
        result=Subquery(_answers().values("pk")[:1]),
        progress=1.0,
        finished_at=Now(),
    )


def runs_answer_twins(digest: str, seed: int) -> int:
    """Complete the runs of other studies that wait for the same answer."""
    waiting = Run.objects.filter(scenario__digest=digest, seed=seed, state=Run.State.QUEUED)
    # The ids are read first: with a join, PostgreSQL would not test the state of the row that it updates.
    return runs_answer(list(waiting.values_list("pk", flat=True)))
