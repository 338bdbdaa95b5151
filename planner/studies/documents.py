"""Result documents of runs, whole or in part. A document is large, so lists never read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from planner.studies.models import Run, Scenario, Study


def document_of(run: Run) -> dict[str, Any] | None:
    return run.result.document if run.result else None


def base_run(study: Study, seed: int) -> Run | None:
    """The finished run of the study's base with this seed."""
    wanted = Run.objects.filter(scenario__study=study, scenario__position=0, seed=seed, result__isnull=False)
    return wanted.select_related("scenario", "result").first()


def distributions_of(scenario: Scenario, *, limit: int = 20) -> list[dict[str, Any]]:
    """The distributions of a scenario's finished runs, by seed."""
    runs = Run.objects.filter(scenario=scenario, result__isnull=False).order_by("seed")
    return [d for d in runs.values_list("result__document__distributions", flat=True)[:limit] if d]


def tenants_of(run_ids: Iterable[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """The per-tenant rows of these runs, those that have a result."""
    runs = Run.objects.filter(id__in=list(run_ids), result__isnull=False)
    return dict(runs.values_list("id", "result__document__tenants"))


def counts_of(run_ids: Iterable[UUID]) -> dict[UUID, dict[str, int]]:
    """How jobs ended, and what was decided and befell them, in these runs: those that have a result."""
    runs = Run.objects.filter(id__in=list(run_ids), result__isnull=False)
    rows = runs.values_list("id", "result__document__counts__jobs", "result__document__decisions")
    return {id: {**(jobs or {}), **(decisions or {})} for id, jobs, decisions in rows}
