"""What an import would save: content in the making, the questions that only a person can answer, and the context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from planner.catalog.figures import Told, figure
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.reading import Question, Reading
from simulation.provenance import Origin
from simulation.scenario import Workload

ORIGINS = (
    ("measured", "measured: a log, a real price list"),
    ("cited", "cited: published by others"),
    ("assumed", "assumed: somebody's estimate"),
    ("illustrative", "illustrative: made up"),
)


@dataclass(frozen=True, slots=True)
class Context:
    """What a draft may know beside the file: who imports it, how personal names become pseudonyms."""

    person: str
    pseudonym: Callable[[str], str]
    when: str = ""


@dataclass(slots=True)
class Draft:
    """Content for one revision. `document` and `workload` stay None while a question is open.

    `facts` go to the revision's summary, `left_out` says how many rows of the table are not simulated and why,
    `said` are sentences about what was done with the rest.
    """

    kind: Kind
    origin: Origin
    document: dict[str, Any] | None = None
    workload: Workload | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    amount: str = ""

    @property
    def complete(self) -> bool:
        return self.document is not None or self.workload is not None


def ask_origin(interview: Interview, kind: str) -> Origin:
    answer = interview.ask(
        Question(
            "origin",
            "How did these figures come about?",
            "choice",
            ORIGINS,
            "measured",
            "the answer stands beside every number that is worked out from this file",
        )
    )
    return Origin(answer or "measured")


def told_by_file(reading: Reading, origin: Origin) -> Told:
    return figure(origin, f"{reading.file}, sha256 {reading.sha256[:8]}, read as {reading.format}")


def count(left_out: dict[str, int], reason: str) -> None:
    left_out[reason] = left_out.get(reason, 0) + 1
