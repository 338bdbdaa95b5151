"""The example workspace: a catalogue that is made up, and studies of it that are queued like any others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require, workspaces_of
from planner.accounts.services import workspace_create
from planner.catalog.models import Item, Kind, Revision, Source
from planner.catalog.services import revision_add
from planner.studies.models import Result, Run, Study
from planner.studies.services import study_create
from simulation.provenance import Origin
from simulation.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ExampleStudy:
    """A question with the scenario that it starts from; `names` are those of its catalogue items."""

    question: str
    scenario: Callable[[], Scenario]
    axes: Callable[[], dict[str, Any]]
    names: Mapping[Kind, str]
    source: str


def _policies_scenario() -> Scenario:
    from simulation.generators.example import scenario

    return scenario()


def _policies_axes() -> dict[str, Any]:
    from simulation.generators.example import A100_NODES

    by_estimate = {"label": "Shortest job, by estimate", "parameters": {"ordering.durations": "estimate"}}
    return {
        "training": [
            {"system": "fcfs-quota", "label": "FCFS, static quota"},
            {"system": "fcfs-backfill", "label": "FCFS, backfill", "parameters": {"walk.durations": "estimate"}},
            {"system": "sjf", **by_estimate},
            {"system": "srtf", "label": "Shortest remaining"},
            {"system": "tiresias", "label": "Tiresias"},
            {"system": "fair-share", "label": "Fair share"},
        ],
        "clusters": [{"label": f"{n} A100 nodes", "pool_changes": {"a100": {"nodes": n}}} for n in A100_NODES],
        "seeds": 10,
    }


POLICIES = ExampleStudy(
    question="Which policy keeps P95 wait under 12 h for the least money?",
    scenario=_policies_scenario,
    axes=_policies_axes,
    names={
        Kind.CLUSTER: "Example cluster",
        Kind.PRICES: "Example prices",
        Kind.WORKLOAD: "Example fortnight",
        Kind.SLOS: "Example limits",
    },
    source="Made up for the example",
)


def _worked_scenario() -> Scenario:
    from simulation.fidelity.worked_example import scenarios

    return next(iter(scenarios().values()))


def _worked_axes() -> dict[str, Any]:
    """Nothing in it is drawn by lot, so two seeds show that it is exact."""
    from simulation.fidelity.worked_example import scenarios

    variants = [{**s.training.model_dump(), "label": s.name} for s in scenarios().values()]
    return {"training": variants, "seeds": 2}


WORKED = ExampleStudy(
    question="Should job A give up two GPUs so that job B can start?",
    scenario=_worked_scenario,
    axes=_worked_axes,
    names={
        Kind.CLUSTER: "Eight equal GPUs",
        Kind.WORKLOAD: "Two jobs and a service",
        Kind.SLOS: "Answers in 200 ms",
    },
    source="Made up for the worked example",
)
STUDIES = (POLICIES, WORKED)


@transaction.atomic
def example_create(*, user: User) -> Workspace:
    """The person's example workspace, with whatever was missing in it; nothing is made twice."""
    workspace = example_of(user) or workspace_create(name="Example", owner=user, is_example=True)
    require(user, workspace, Act.EDIT)
    asked = set(Study.objects.filter(workspace=workspace).values_list("question", flat=True))
    # The last is queued first, so that the list, newest first, begins with the first.
    for example in reversed(STUDIES):
        if example.question not in asked:
            _study(workspace, user, example)
    return workspace


def example_of(user: User) -> Workspace | None:
    return workspaces_of(user).filter(is_example=True).order_by("created_at").first()


def _study(workspace: Workspace, user: User, example: ExampleStudy) -> Study:
    scenario = example.scenario()
    base = {
        **_references(workspace, user, example, scenario),
        **scenario.model_dump(mode="json", include={"training", "serving", "overheads", "quotas", "sampling"}),
        "horizon_s": scenario.horizon_s,
    }
    return study_create(
        workspace=workspace, user=user, question=example.question, base=base, axes=example.axes(), is_example=True
    )


def _references(workspace: Workspace, user: User, example: ExampleStudy, scenario: Scenario) -> dict[str, str]:
    """Revisions of the parts of `scenario`, by the field of a spec; a part that has no name is left out."""
    parts: dict[Kind, dict[str, Any]] = {
        Kind.CLUSTER: {"document": {"cluster": scenario.cluster.model_dump(mode="json")}},
        Kind.PRICES: {"document": {"prices": scenario.prices.model_dump(mode="json")}},
        Kind.WORKLOAD: {"workload": scenario.workload},
        Kind.SLOS: {"document": {"slos": [slo.model_dump(mode="json") for slo in scenario.slos]}},
    }
    return {
        str(kind): str(
            revision_add(
                workspace=workspace, user=user, kind=kind, name=name, origin=Origin.ILLUSTRATIVE,
                source=example.source, **parts[kind],
            ).id
        )
        for kind, name in example.names.items()
    }  # fmt: skip


@transaction.atomic
def example_delete(*, workspace: Workspace, user: User) -> None:
    """Remove an example workspace with all that was computed for it alone. Refused for any other workspace."""
    require(user, workspace, Act.ADMINISTER)
    if not workspace.is_example:
        raise PermissionDenied("Only an example workspace can be deleted as a whole.")
    results = set(Run.objects.filter(scenario__study__workspace=workspace).values_list("result_id", flat=True))
    Study.objects.filter(workspace=workspace).delete()
    Result.objects.filter(id__in=results - {None}, runs=None).delete()
    # Revisions hold on to their sources, so they go first.
    Revision.objects.filter(item__workspace=workspace).delete()
    Item.objects.filter(workspace=workspace).delete()
    Source.objects.filter(workspace=workspace).delete()
    workspace.delete()
