"""What a bundle is about: scenarios, and runs of them with what they gave."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from simulation.scenario import Document, Scenario, digest_of, scenario_digest, workload_digest

if TYPE_CHECKING:
    from simulation.records import RunRecords


class RunFacts(Document):
    """What happened around one run; nothing of it changes a result. None: not recorded."""

    id: str = ""
    attempt: int = 1
    state: Literal["done", "failed", "cancelled"] = "done"
    reason: str = ""
    started: str | None = None
    finished: str | None = None
    wall_time_s: float | None = None
    worker: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One scenario (by its place) with one seed. `document` None: it has no result."""

    scenario: int
    seed: int
    document: dict[str, Any] | None
    facts: RunFacts = field(default_factory=RunFacts)

    @property
    def sha256(self) -> str | None:
        return None if self.document is None else digest_of(self.document)


@dataclass(frozen=True, slots=True)
class Publication:
    """What the metadata of a crate must say about people and rights. `date` is ISO with a zone."""

    date: str
    author: str = "not named"
    organisation: str = "not named"
    licence: str = "InC"


@dataclass(frozen=True)
class Experiment:
    """`families`: scenarios of one family share a front (one entry a scenario). `axes`: two metrics, x and y.

    `records` are those of the first run, where its jobs are to be in the bundle. `study` is what a planner needs in
    order to ask again; this package only carries it. `anonymised` is the rule by which names were replaced.
    """

    kind: Literal["run", "study"]
    title: str
    engine: str
    scenarios: tuple[Scenario, ...]
    families: tuple[str, ...]
    runs: tuple[Run, ...]
    axes: tuple[str, str]
    records: RunRecords | None = None
    without_jobs: str = ""  # why there are no records of jobs
    study: dict[str, Any] | None = None
    anonymised: str | None = None

    def documents_of(self, scenario: int) -> dict[int, dict[str, Any]]:
        """Result documents of one scenario by seed."""
        return {r.seed: r.document for r in self.runs if r.scenario == scenario and r.document is not None}

    @cached_property
    def workload_digests(self) -> tuple[str, ...]:
        """One a scenario; a workload that scenarios share is digested once."""
        shared = {id(s.workload): s.workload for s in self.scenarios}
        digests = {key: workload_digest(workload) for key, workload in shared.items()}
        return tuple(digests[id(s.workload)] for s in self.scenarios)

    @property
    def workload_keys(self) -> tuple[str, ...]:
        """How tables and files name the workload of each scenario."""
        return tuple(digest[:12] for digest in self.workload_digests)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """`scenario_digest` of each scenario."""
        pairs = zip(self.scenarios, self.workload_digests, strict=True)
        return tuple(scenario_digest(scenario, workload) for scenario, workload in pairs)
