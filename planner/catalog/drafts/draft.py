"""What an import would save: content in the making, the questions that only a person can answer, and the context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.catalog.models import Kind, Revision
from simulation.formats.parts.part import Part
from simulation.provenance import Origin
from simulation.scenario import Workload


@dataclass(frozen=True, slots=True)
class Context:
    """What a draft may know beside the file: who imports it, how personal names become pseudonyms.

    `clusters` and `price_sheets` give the newest revision of each in the workspace, by name.
    """

    person: str
    pseudonym: Callable[[str], str]
    clusters: Callable[[], Sequence[Revision]]
    price_sheets: Callable[[], Sequence[Revision]]


@dataclass(slots=True)
class Draft:
    """Content for one revision, or for none (`kind` None) where a file is only shown.

    `document` and `workload` stay None while a question is open. `facts` go to the revision's summary, `left_out`
    says how many rows of the table are not simulated and why, `said` are sentences about what was done with the rest.
    """

    kind: Kind | None
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


def drafted(kind: Kind, part: Part) -> Draft:
    """The draft of a revision that holds a part of a scenario; a cluster's document is left to its own draft."""
    return Draft(
        kind,
        part.origin,
        workload=part.workload,
        facts=dict(part.facts),
        left_out=dict(part.left_out),
        said=list(part.said),
        amount=part.amount,
    )
