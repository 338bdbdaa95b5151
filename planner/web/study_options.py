"""What the study builder offers: revisions of the workspace, policies of the engine, pools of the chosen cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, QueryDict

from planner.accounts.models import Workspace
from planner.catalog.models import Kind, Revision
from planner.catalog.selectors import cluster_of, items, revision_for


@dataclass(frozen=True, slots=True)
class Choice:
    """A revision that can be chosen."""

    id: str
    name: str
    origin: str


@dataclass(frozen=True, slots=True)
class Policy:
    slug: str
    name: str
    line: str  # what it does, in one sentence
    information: str
    parameters: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Pool:
    name: str
    nodes: int
    gpu_model: str


@dataclass(frozen=True, slots=True)
class Options:
    clusters: list[Choice]
    workloads: list[Choice]
    prices: list[Choice]
    slos: list[Choice]
    training: list[Policy]
    serving: list[Policy]
    pools: list[Pool] = field(default_factory=list)
    has_services: bool = False

    @property
    def ready(self) -> bool:
        return bool(self.clusters and self.workloads)


def options(workspace: Workspace, given: QueryDict) -> Options:
    """Offers for this workspace; pools and services are those of the cluster and workload that `given` names."""
    clusters, workloads = _choices(workspace, Kind.CLUSTER), _choices(workspace, Kind.WORKLOAD)
    cluster = _revision(workspace, Kind.CLUSTER, given.get("cluster") or (clusters[0].id if clusters else ""))
    workload = _revision(workspace, Kind.WORKLOAD, given.get("workload") or (workloads[0].id if workloads else ""))
    return Options(
        clusters=_with(clusters, cluster),
        workloads=_with(workloads, workload),
        prices=_choices(workspace, Kind.PRICES),
        slos=_choices(workspace, Kind.SLOS),
        training=policies("training"),
        serving=policies("inference"),
        pools=[Pool(p.name, p.nodes, p.gpu_model) for p in cluster_of(cluster).pools] if cluster else [],
        has_services=bool(workload and workload.summary.get("services")),
    )


def policies(workload: str) -> list[Policy]:
    from simulation.systems.registry import SYSTEMS  # loads the engine: only where policies are offered

    return [
        Policy(s.slug, s.name, _first_sentence(s.description), s.information, tuple(s.recipe.parameters()))
        for s in SYSTEMS.values()
        if s.workload == workload
    ]


def _first_sentence(text: str) -> str:
    head, stop, _ = text.partition(". ")
    return head + ("." if stop else "")


def _choices(workspace: Workspace, kind: Kind) -> list[Choice]:
    return [
        Choice(str(i.newest_id), f"{i.name} rev {i.newest_number}", i.newest_origin)
        for i in items(workspace, kind)
        if i.newest_id
    ]


def _with(choices: list[Choice], revision: Revision | None) -> list[Choice]:
    """`choices` and the one that is chosen, though it may be an older revision."""
    if revision is None or any(c.id == str(revision.id) for c in choices):
        return choices
    return [*choices, Choice(str(revision.id), f"{revision.item.name} rev {revision.number}", revision.origin)]


def _revision(workspace: Workspace, kind: Kind, id: str) -> Revision | None:
    try:
        return revision_for(workspace, id, kind) if id else None
    except Http404:
        return None
