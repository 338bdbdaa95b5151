"""Reads of studies and runs. An object of another workspace does not exist here (Http404)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.http import Http404

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.studies.models import Result, Run, Scenario, Study
from simulation import ENGINE_VERSION

_IN_LIST = 500  # values that every database takes in one IN list


def studies(workspace: Workspace, *, archived: bool = False) -> QuerySet[Study]:
    """Studies, newest first, each with the number of its scenarios and of its runs by state."""
    by_state = {
        f"runs_{state}": Count("scenarios__runs", filter=Q(scenarios__runs__state=state)) for state in Run.State.values
    }
    return (
        Study.objects.filter(workspace=workspace, archived_at__isnull=not archived)
        .select_related("created_by")
        .annotate(scenarios_total=Count("scenarios", distinct=True), runs_total=Count("scenarios__runs"), **by_state)
        .order_by("-created_at", "-id")  # said again: a grouped query forgets the order of its model
    )


def study_for(user: User, workspace: Workspace, id: UUID | str, act: Act = Act.READ) -> Study:
    require(user, workspace, act)
    found = Study.objects.filter(workspace=workspace, id=_uuid(id)).select_related("workspace", "created_by").first()
    if found is None:
        raise Http404("No such study")
    return found


def run_for(user: User, workspace: Workspace, id: UUID | str, act: Act = Act.READ) -> Run:
    """A run with its scenario, study and result."""
    require(user, workspace, act)
    found = (
        Run.objects.filter(scenario__study__workspace=workspace, id=_uuid(id))
        .select_related("scenario__study__workspace", "result")
        .first()
    )
    if found is None:
        raise Http404("No such run")
    return found


def runs(workspace: Workspace) -> QuerySet[Run]:
    """All runs of a workspace, newest study first, without the documents of their results."""
    found = Run.objects.filter(scenario__study__workspace=workspace).select_related("scenario", "result")
    return found.defer("result__document", "result__metrics").order_by(
        "-scenario__study__created_at", "scenario__study", "scenario__position", "seed"
    )


def scenarios(study: Study) -> QuerySet[Scenario]:
    """Scenarios in the order of the study, each with the number of its runs by state."""
    by_state = {f"runs_{state}": Count("runs", filter=Q(runs__state=state)) for state in Run.State.values}
    return Scenario.objects.filter(study=study).annotate(runs_total=Count("runs"), **by_state).order_by("position")


def systems_of(study: Study) -> set[str]:
    """Slugs of all systems that scenarios of a study run."""
    specs = Scenario.objects.filter(study=study).values_list("spec__training__system", "spec__serving__system")
    return {slug for pair in specs for slug in pair if slug}


@dataclass(frozen=True, slots=True)
class Replication:
    """One run of a study as a comparison needs it: state and, where done, the metrics without the whole document."""

    scenario_id: UUID
    run_id: UUID
    seed: int
    state: str
    engine: str | None
    metrics: dict[str, dict[str, Any]] | None


def replications(study: Study) -> list[Replication]:
    """All runs of a study, by scenario and seed."""
    fields = ("scenario_id", "id", "seed", "state", "result__engine_version", "result__metrics")
    rows = Run.objects.filter(scenario__study=study).order_by("scenario__position", "seed").values_list(*fields)
    return [Replication(*row) for row in rows.iterator(chunk_size=500)]


def known_results(digests: Collection[str], seeds: int) -> dict[tuple[str, int], UUID]:
    """Results that this engine has already given to these questions: (scenario digest, seed) -> id."""
    known: dict[tuple[str, int], UUID] = {}
    asked = sorted(digests)
    for start in range(0, len(asked), _IN_LIST):
        some = asked[start : start + _IN_LIST]
        rows = Result.objects.filter(scenario_digest__in=some, seed__lt=seeds, engine_version=ENGINE_VERSION)
        known |= {(digest, seed): id for digest, seed, id in rows.values_list("scenario_digest", "seed", "id")}
    return known


def _uuid(id: UUID | str) -> UUID:
    try:
        return id if isinstance(id, UUID) else UUID(str(id))
    except ValueError:
        raise Http404("No such object") from None
