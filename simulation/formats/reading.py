"""What reading a file gives: a table, what became of every row, and the questions that only a person can answer.

The course of an import: `registry.detect` names candidates, `registry.read` gives a Reading to preview; its
questions are shown and their answers passed to the next `registry.read`; once it is `ready` its table may be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from simulation.formats.columns import Kind
from simulation.formats.errors import FormatError
from simulation.formats.tables import Table
from simulation.provenance import Origin

RAW_CHARS = 500


@dataclass(frozen=True, slots=True)
class Question:
    """What the file does not say. `default` None: it must be answered before the table may be kept.

    choice: one of `options`; text: free text, `options` are suggestions; mapping: `options` are columns of the file,
    the value "" stands for "not in this file". `why` says what hangs on it, in a sentence.
    """

    key: str
    text: str
    kind: Literal["choice", "text", "mapping"]
    options: tuple[tuple[str, str], ...] = ()
    default: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RowIssue:
    """Why a row was refused, or what is odd about one that was kept. `raw` is the line, cut to 500 characters."""

    line: int
    column: str | None
    value: str
    expected: str
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class RowCounts:
    """What became of the rows (lines or records) of a file; every row is in exactly one of the five parts.

    accepted and warned rows are in the table; folded ones were joined with another row (steps, repeated attempts);
    skipped ones are headers and blank lines. ValueError where the parts do not add up to the rows in the file.
    """

    in_file: int
    accepted: int
    warned: int = 0
    rejected: int = 0
    folded: int = 0
    skipped: int = 0

    def __post_init__(self) -> None:
        parts = self.accepted + self.warned + self.rejected + self.folded + self.skipped
        if parts != self.in_file:
            raise ValueError(f"{self.in_file} rows in the file, but {parts} accounted for")


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column of a file whose layout is free: its label (made unique), first values, and what it was taken for."""

    label: str
    samples: tuple[str, ...]
    target: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as understood under the answers given so far. Immutable; read again to change an answer.

    `questions` are all that apply to this file, `answers` those in force (given, else the default). `totals` are
    figures for the reconciliation box (see each reader), `facts` sentences for the preview, `head` the first raw
    lines. `origin` is what its figures are where nobody says otherwise. `table` is provisional until `ready`.
    """

    kind: Kind
    format: str
    version: str
    file: str
    sha256: str
    table: Table = field(repr=False)
    counts: RowCounts
    warned: tuple[RowIssue, ...] = field(default=(), repr=False)
    rejected: tuple[RowIssue, ...] = field(default=(), repr=False)
    questions: tuple[Question, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    totals: Mapping[str, Any] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    head: tuple[str, ...] = field(default=(), repr=False)
    origin: Origin = Origin.MEASURED
    columns: tuple[SourceColumn, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if self.counts.accepted + self.counts.warned != len(self.table):
            raise ValueError(f"table of {len(self.table)} rows, but {self.counts} kept")
        if self.counts.rejected != len(self.rejected):
            raise ValueError(f"{len(self.rejected)} refusals, but {self.counts} refused")

    @property
    def unanswered(self) -> tuple[Question, ...]:
        """The questions that have neither an answer nor a default."""
        return tuple(question for question in self.questions if question.key not in self.answers)

    @property
    def ready(self) -> bool:
        """Whether every question is answered."""
        return not self.unanswered

    def require_ready(self) -> None:
        """To be called before the table is kept: FormatError where a question is open, or no row can be kept."""
        for question in self.unanswered:
            choices = ", ".join(value for value, _ in question.options)
            raise FormatError(
                self.file, column=f"answer {question.key}", expected=f"{question.text} ({choices or 'free text'})"
            )

        if not len(self.table):
            first = self.rejected[0] if self.rejected else None
            raise FormatError(
                self.file,
                line=first.line if first else None,
                column=first.column if first else None,
                value=first.value if first else "",
                expected=f"at least one row that can be kept; the first refusal: {first.expected}"
                if first
                else "a row",
            )

    def digest(self) -> str:
        """sha256 of the content that would be kept; equal for equal content, however the file was written."""
        return self.table.digest()
