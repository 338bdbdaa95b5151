"""Counting what becomes of every row of a file, and making the Reading of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulation.formats.columns import Kind
from simulation.formats.errors import shortened
from simulation.formats.reading import RAW_CHARS, Reading, RowCounts, RowIssue, SourceColumn
from simulation.formats.source import Source
from simulation.formats.tables import Table
from simulation.provenance import Origin


class CellError(Exception):
    """A cell that cannot be what its column needs; its row is refused, the rest of the file goes on."""

    def __init__(self, column: str | None, value: str, expected: str, reason: str) -> None:
        super().__init__(reason)
        self.column, self.value, self.expected, self.reason = column, value, expected, reason


class Collector:
    """Rows kept, refused, folded and skipped of one file."""

    def __init__(self, kind: Kind) -> None:
        self.kind: Kind = kind
        self.rows: list[dict[str, Any]] = []
        self.warned: list[RowIssue] = []
        self.rejected: list[RowIssue] = []
        self.folded = 0
        self.skipped = 0
        self._warned_rows = 0
        self._seen: dict[str, str] = {}

    def keep(self, row: dict[str, Any], oddities: Iterable[CellError] = (), raw: str = "") -> None:
        self.rows.append(row)
        before = len(self.warned)
        self.warned.extend(_issue(row["line"], oddity, raw) for oddity in oddities)
        self._warned_rows += len(self.warned) > before

    def keep_once(self, name: str, row: dict[str, Any], oddities: Iterable[CellError], raw: str) -> None:
        """Keep a row whose name is new; fold one that repeats another to the letter, CellError where it differs."""
        if name not in self._seen:
            self._seen[name] = raw
            self.keep(row, oddities, raw)
        elif self._seen[name] == raw:
            self.folded += 1
        else:
            raise CellError("name", name, "each name once", "it is in the file twice, with other values")

    def reject(self, line: int, error: CellError, raw: str) -> None:
        self.rejected.append(_issue(line, error, raw))

    def table(self) -> Table:
        """The rows kept so far."""
        return Table.from_rows(self.kind, self.rows)

    def counts(self, in_file: int) -> RowCounts:
        kept = len(self.rows) - self._warned_rows
        return RowCounts(in_file, kept, self._warned_rows, len(self.rejected), self.folded, self.skipped)

    def reading(
        self,
        source: Source,
        slug: str,
        version: str,
        table: Table,
        *,
        in_file: int,
        totals: Mapping[str, Any],
        facts: Iterable[str],
        head: tuple[str, ...] | None = None,
        columns: tuple[SourceColumn, ...] = (),
        origin: Origin = Origin.MEASURED,
    ) -> Reading:
        """The Reading; ValueError where `in_file`, counted apart, differs from the sum of the parts.

        `head`: the first rows as text, where the file itself is none (a workbook).
        """
        interview = source.interview
        return Reading(
            kind=self.kind,
            format=slug,
            version=version,
            file=source.name,
            sha256=source.sha256,
            table=table,
            counts=self.counts(in_file),
            warned=tuple(self.warned),
            rejected=tuple(self.rejected),
            questions=interview.questions,
            answers=dict(interview.answers),
            totals=dict(totals),
            facts=tuple(facts),
            head=source.head() if head is None else head,
            columns=columns,
            origin=origin,
        )


def number_by_content(rows: list[dict[str, Any]], column: str, prefix: str = "") -> None:
    """Give each row a number in `column`, by what it holds and not by where it stands: order in the file is nothing."""
    order = sorted(rows, key=lambda row: (row.get("submit_s") or 0.0, _content(row, column)))
    for number, row in enumerate(order, start=1):
        row[column] = f"{prefix}{number}"


def _content(row: dict[str, Any], column: str) -> str:
    return repr([item for item in sorted(row.items()) if item[0] not in {"line", column}])


def _issue(line: int, error: CellError, raw: str) -> RowIssue:
    return RowIssue(
        line, error.column, shortened(error.value, RAW_CHARS), error.expected, error.reason, raw[:RAW_CHARS]
    )
