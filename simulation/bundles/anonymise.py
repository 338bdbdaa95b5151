"""Names that say whom a workload belongs to, replaced in inputs and results; nothing that a policy sees changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulation.scenario import Cluster, JobTable, Scenario, Service, Workload

RULE: Final = (
    "Identifiers and names of jobs, users, tenants, services, rate profiles, loss curves, clusters and nodes were "
    "replaced by numbers, equal names by equal numbers; tenants, profiles and curves are numbered in alphabetical "
    "order, everything else in the order in which it appears, so that every policy decides as it did with the true "
    "names. Words about sources were left out. The mapping is not in the bundle and was not kept. Times, sizes, prices "
    "and GPU models are unchanged. The question and the labels of scenarios stand as they were written."
)
RENAMED: Final = {
    "id": "job", "tenant": "tenant", "user": "user", "name": "name", "profile": "profile", "loss": "curve",
}  # fmt: skip
"""Columns of the table of jobs that hold names, and the word that stands before their number."""
KEPT: Final = frozenset({
    "submit_s", "duration_s", "gpus", "gpus_min", "gpus_max", "gpu_models", "estimate_s", "deadline_s", "preemptible",
    "fate", "memory_bytes",
})  # fmt: skip
ONE_TENANT: Final = "all"
"""What the engine calls the tenant of jobs of which none is recorded."""


@dataclass(frozen=True, slots=True)
class Anonymiser:
    """One for all scenarios of an experiment: a name gets the same number wherever it stands."""

    tenants: Mapping[str, str]
    services: Mapping[str, str]
    profiles: Mapping[str, str]
    curves: Mapping[str, str]
    _workloads: dict[int, tuple[Workload, Workload]] = field(default_factory=dict)

    @classmethod
    def of(cls, scenarios: Iterable[Scenario]) -> Anonymiser:
        tenants: set[str] = {ONE_TENANT}
        profiles: set[str] = set()
        curves: set[str] = set()
        services: dict[str, None] = {}
        for scenario in {id(s.workload): s for s in scenarios}.values():
            jobs = scenario.workload.jobs
            tenants.update(jobs.tenant or () if jobs else ())
            tenants.update(service.tenant for service in scenario.workload.services)
            profiles.update(profile.name for profile in scenario.workload.profiles)
            curves.update(curve.name for curve in scenario.workload.losses)
            services |= dict.fromkeys(service.name for service in scenario.workload.services)
        for scenario in scenarios:
            tenants.update(scenario.quotas)
        return cls(
            _numbered("tenant", sorted(tenants)), _numbered("service", services),
            _numbered("profile", sorted(profiles)), _numbered("curve", sorted(curves)),
        )  # fmt: skip

    def scenario(self, scenario: Scenario) -> Scenario:
        """The same to every policy, without its names."""
        return scenario.model_copy(
            update={
                "cluster": without_names(scenario.cluster),
                "workload": self.workload(scenario.workload),
                "quotas": self.quotas(scenario.quotas),
                "sources": dict.fromkeys(scenario.sources, "left out with the names"),
            }
        )

    def document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A result document as the engine would have written it of the scenario without names."""
        distributions = {self._distribution(name): d for name, d in document["distributions"].items()}
        parts = {self.services[name]: parts for name, parts in document["latency_parts"].items()}
        services = [
            {**row, "service": self.services[row["service"]], "tenant": self.tenants[row["tenant"]]}
            for row in document["services"]
        ]
        tenants = [{**row, "tenant": self.tenants[row["tenant"]]} for row in document["tenants"]]
        changed = {"distributions": distributions, "latency_parts": parts, "services": services, "tenants": tenants}
        return {**document, **changed}

    def _distribution(self, name: str) -> str:
        kind, _, service = name.partition(":")
        return f"{kind}:{self.services[service]}" if service else name

    def quotas(self, quotas: Mapping[str, float]) -> dict[str, float]:
        return {self.tenants[tenant]: share for tenant, share in quotas.items()}

    def workload(self, workload: Workload) -> Workload:
        """Scenarios that share a workload share the renamed one too."""
        known = self._workloads.get(id(workload))
        if known is None:
            renamed = Workload(
                jobs=self._jobs(workload.jobs) if workload.jobs else None,
                services=[self._service(service) for service in workload.services],
                profiles=[p.model_copy(update={"name": self.profiles[p.name]}) for p in workload.profiles],
                losses=[curve.model_copy(update={"name": self.curves[curve.name]}) for curve in workload.losses],
            )
            known = self._workloads[id(workload)] = (workload, renamed)  # kept alive, so that its id stays its own
        return known[1]

    def _jobs(self, jobs: JobTable) -> JobTable:
        numbers = {"tenant": self.tenants, "profile": self.profiles, "loss": self.curves}
        columns: dict[str, list[Any]] = {"tenant": [self.tenants[ONE_TENANT]] * len(jobs)}
        for column, word in RENAMED.items():
            names = getattr(jobs, column)
            if names is not None:
                mapping = numbers.get(column) or _numbered(word, dict.fromkeys(names))
                columns[column] = [None if name is None else mapping[name] for name in names]
        return jobs.model_copy(update=columns)

    def _service(self, service: Service) -> Service:
        return service.model_copy(update={"name": self.services[service.name], "tenant": self.tenants[service.tenant]})


def without_names(cluster: Cluster) -> Cluster:
    """The same cluster under a name that says nothing, its nodes numbered inside each pool."""
    pools = [
        pool.model_copy(update={"node_names": [f"{pool.name}-{n}" for n in range(1, len(pool.node_names) + 1)]})
        if pool.node_names
        else pool
        for pool in cluster.pools
    ]
    return cluster.model_copy(update={"name": "cluster", "pools": pools})


def _numbered(word: str, names: Iterable[str]) -> dict[str, str]:
    """Numbers of one length, so that the new names sort as the old ones stood."""
    given: Sequence[str] = list(names)
    digits = len(str(len(given)))
    return {name: f"{word}-{number:0{digits}}" for number, name in enumerate(given, start=1)}
