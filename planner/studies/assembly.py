"""From the references of a spec to the self-contained scenario that a worker simulates."""

from __future__ import annotations

from typing import Any

from planner.accounts.models import Workspace
from planner.catalog import selectors
from planner.catalog.models import Kind, Revision
from planner.studies.models import Scenario as ScenarioRow
from simulation.provenance import Origin
from simulation.scenario import (
    Choice,
    Cluster,
    Origins,
    Overheads,
    Pool,
    Prices,
    Sampling,
    Scenario,
    Slo,
    Workload,
    scenario_digest,
)


class Materials:
    """The revisions of one workspace that specs refer to, each read once; Http404 for those of another workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._revisions: dict[str, Revision] = {}
        self._clusters: dict[str, Cluster] = {}

    def revision(self, id: str, kind: Kind) -> Revision:
        found = self._revisions.get(id)
        if found is None or found.item.kind != kind:
            found = self._revisions[id] = selectors.revision_for(self._workspace, id, kind)
        return found

    def cluster(self, id: str) -> Cluster:
        if id not in self._clusters:
            self._clusters[id] = selectors.cluster_of(self.revision(id, Kind.CLUSTER))
        return self._clusters[id]

    def prices(self, id: str | None) -> Prices:
        return selectors.prices_of(self.revision(id, Kind.PRICES)) if id else Prices()

    def slos(self, id: str | None) -> list[Slo]:
        return selectors.slos_of(self.revision(id, Kind.SLOS)) if id else []

    def origins(self, spec: dict[str, Any]) -> Origins:
        """Of each group of inputs; a group that no revision gives stays assumed."""
        given: dict[str, Origin] = {}
        for field, kind in (("workload", Kind.WORKLOAD), ("cluster", Kind.CLUSTER), ("prices", Kind.PRICES)):
            if spec[field]:
                given |= selectors.origins_of(self.revision(spec[field], kind))
        return Origins(**{group: origin for group, origin in given.items() if group in Origins.model_fields})


class _LastWorkload:
    """The workload used last: the runs of a study share one, and reading 80,000 jobs takes longer than some runs."""

    def __init__(self) -> None:
        self._held: tuple[str, Workload] | None = None

    def of(self, revision: Revision) -> Workload:
        held = self._held
        if held is None or held[0] != revision.digest:
            held = self._held = (revision.digest, selectors.workload_of(revision))
        return held[1]


_last_workload = _LastWorkload()


def scenario_build(row: ScenarioRow) -> Scenario:
    """The scenario of a row, with everything that it refers to resolved."""
    return scenario_from_spec(row.study.workspace, row.spec, name=row.label)


def scenario_from_spec(workspace: Workspace, spec: dict[str, Any], *, name: str = "") -> Scenario:
    """The scenario that `spec` (of a study or of a scenario) means; Http404 where a revision is not there."""
    materials = Materials(workspace)
    workload = _last_workload.of(materials.revision(spec["workload"], Kind.WORKLOAD))
    return _assemble(materials, spec, workload, name)


def digest_of_spec(materials: Materials, spec: dict[str, Any]) -> str:
    """`scenario_digest` of what `spec` means, without opening the workload: its digest is already known."""
    known = materials.revision(spec["workload"], Kind.WORKLOAD).digest
    return scenario_digest(_assemble(materials, spec, Workload(), ""), known)


def _assemble(materials: Materials, spec: dict[str, Any], workload: Workload, name: str) -> Scenario:
    return Scenario(
        name=name,
        cluster=resized(materials.cluster(spec["cluster"]), spec.get("pool_changes", {})),
        prices=materials.prices(spec["prices"]),
        workload=workload,
        training=Choice.model_validate(spec["training"]),
        serving=Choice.model_validate(spec["serving"]),
        quotas=spec["quotas"],
        overheads=Overheads.model_validate(spec["overheads"]),
        sampling=Sampling.model_validate(spec["sampling"]),
        slos=materials.slos(spec["slos"]),
        horizon_s=spec["horizon_s"],
        origins=materials.origins(spec),
        sources=_source_words(materials, spec),
    )


def resized(cluster: Cluster, changes: dict[str, dict[str, int]]) -> Cluster:
    """The cluster with other numbers of nodes in some pools; surplus names are dropped, missing ones not invented."""

    def pool(old: Pool) -> Pool:
        if old.name not in changes:
            return old
        nodes = changes[old.name]["nodes"]
        names = old.node_names[:nodes] if old.node_names and nodes <= len(old.node_names) else None
        return old.model_copy(update={"nodes": nodes, "node_names": names})

    # Validated anew, so that the limits of a cluster hold for a changed one too.
    return Cluster(name=cluster.name, pools=[pool(p) for p in cluster.pools], pue=cluster.pue)


def _source_words(materials: Materials, spec: dict[str, Any]) -> dict[str, str]:
    """Where each group of inputs comes from, in words that stand beside a number."""
    fields = (("workload", Kind.WORKLOAD), ("cluster", Kind.CLUSTER), ("prices", Kind.PRICES))
    words = {field: _words_of(materials.revision(spec[field], kind)) for field, kind in fields if spec[field]}
    for pool, change in sorted(spec.get("pool_changes", {}).items()):
        words["cluster"] += f"; {pool} changed to {change['nodes']} nodes"
    belongs = (("power", "cluster"), ("carbon", "prices"))
    return words | {group: words[giver] for group, giver in belongs if giver in words}


def _words_of(revision: Revision) -> str:
    source = revision.source
    place = f"{source.file_name}, sha256 {source.sha256[:8]}" if source.file_name else source.title
    return f"{revision.item.name} rev {revision.number} ({revision.origin}: {place})"
