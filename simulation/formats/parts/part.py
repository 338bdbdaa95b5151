"""A part of a scenario in the making, and where its figures come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulation.formats.interview import Interview
from simulation.formats.reading import Question, Reading
from simulation.provenance import Origin
from simulation.scenario import Cluster, Workload

ORIGINS = (
    ("measured", "measured: a log, a real price list"),
    ("cited", "cited: published by others"),
    ("assumed", "assumed: somebody's estimate"),
    ("illustrative", "illustrative: made up"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """Workload or cluster; both stay None while a question is open or no row can be used.

    `left_out`: reason -> rows of the table that take no part. `said`: sentences about what was done with the rest.
    `facts`: figures about it for lists and pages. `chosen`: GPU models that a person chose, where the file is not
    clear. `origins`: of the groups of inputs that it gives (see simulation.scenario.Origins).
    """

    origin: Origin
    left_out: Mapping[str, int]
    said: tuple[str, ...] = ()
    workload: Workload | None = None
    cluster: Cluster | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    facts: Mapping[str, Any] = field(default_factory=dict)
    amount: str = ""

    @property
    def complete(self) -> bool:
        return self.workload is not None or self.cluster is not None

    def document(self, source: str) -> dict[str, Any]:
        """JSON with the names of a scenario's fields; several parts join to a scenario. `source`: words on the file."""
        given = {"workload": self.workload, "cluster": self.cluster}
        parts = {name: one.model_dump(mode="json", exclude_unset=True) for name, one in given.items() if one}
        origins = {group: str(origin) for group, origin in self.origins.items()}
        return {**parts, "origins": origins, "sources": dict.fromkeys(parts, source)}


def source_words(reading: Reading) -> str:
    """File, digest and reader, as they stand beside a number."""
    return f"{reading.file}, sha256 {reading.sha256[:8]}, read as {reading.format}"


def ask_origin(interview: Interview, reading: Reading) -> Origin:
    answer = interview.ask(
        Question(
            "origin",
            "How did these figures come about?",
            "choice",
            ORIGINS,
            str(reading.origin),
            "the answer stands beside every number that is worked out from this file",
        )
    )
    return Origin(answer or reading.origin)


def counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' if n != 1 else ''}"
