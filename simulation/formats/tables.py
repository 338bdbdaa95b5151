"""A table that a reader yields: columns of one kind, its digest, and its text for a spreadsheet."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

from simulation.formats.columns import COLUMNS, Kind


@dataclass(frozen=True, slots=True)
class Table:
    """A normalised table: `columns[name][row]`. All columns of its kind are present, equally long."""

    kind: Kind
    columns: dict[str, list[Any]] = field(repr=False)

    @classmethod
    def from_rows(cls, kind: Kind, rows: list[dict[str, Any]]) -> Table:
        """A table of `rows`; a column that a row does not mention is unknown there. KeyError on a foreign column."""
        names = [column.name for column in COLUMNS[kind]]
        known = set(names)
        for row in rows:
            if not row.keys() <= known:
                raise KeyError(f"not a column of {kind}: {sorted(row.keys() - known)}")
        return cls(kind, {name: [row.get(name) for row in rows] for name in names})

    def __len__(self) -> int:
        return len(self.columns["line"])

    def __getitem__(self, column: str) -> list[Any]:
        return self.columns[column]

    def row(self, index: int) -> dict[str, Any]:
        return {name: values[index] for name, values in self.columns.items()}

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """The rows from `start` to before `stop`, each as a dict."""
        for index in range(*slice(start, stop).indices(len(self))):
            yield self.row(index)

    def digest(self) -> str:
        """sha256 over the content, whatever the order of rows, line ends or encoding of the file."""
        names = [name for name in self.columns if name != "line"]
        lines = [json.dumps(values) for values in zip(*(self.columns[name] for name in names), strict=True)]
        lines.sort()
        return hashlib.sha256("\n".join([self.kind, *names, *lines]).encode()).hexdigest()

    def repeated_rows(self) -> int:
        """How many rows repeat an earlier one in everything but line and id."""
        names = [name for name in self.columns if name not in {"line", "id"}]
        seen = Counter(zip(*(self.columns[name] for name in names), strict=True))
        return sum(n - 1 for n in seen.values())

    def write_csv(self, stream: TextIO) -> None:
        """The table as CSV with one header row; lists joined by a space, unknown values empty, formulas made text."""
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        for values in zip(*self.columns.values(), strict=True):
            writer.writerow([cell_text(value) for value in values])


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def cell_text(value: Any) -> str:
    """A value as the text of one exported cell; text that a spreadsheet would run gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, str):
        return "'" + value if value.startswith(_FORMULA_STARTS) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(cell_text(item) for item in value)
    if isinstance(value, float):
        return repr(value) if value != int(value) else str(int(value))
    return str(value)
