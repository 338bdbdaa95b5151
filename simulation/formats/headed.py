"""Delimited files with one header line of known names: each data row with its cells, everything else accounted for."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record, records
from simulation.formats.errors import FormatError
from simulation.formats.source import Source


def header_of(text: str) -> list[str]:
    """Cells of the first line of comma-separated text, in lower case."""
    return [cell.strip().lower() for cell in next(csv.reader([text.split("\n", 1)[0]]), [])]


def header_detector(columns: tuple[str, ...], reason: str) -> Callable[[str, str], tuple[float, str]]:
    """A `detect` (see Format) for comma-separated files whose header holds all of `columns`, in any case and order."""
    wanted = {name.lower() for name in columns}

    def detect(text: str, filename: str) -> tuple[float, str]:
        return (0.95, reason) if wanted <= set(header_of(text)) else (0.0, "")

    return detect


class HeadedRows:
    """Rows of a file whose header must hold `required`; FormatError at once where a column is missing."""

    def __init__(self, source: Source, delimiter: str, required: tuple[str, ...]) -> None:
        self._source = source
        self._delimiter = delimiter
        self.in_file = 0
        first = next((record for record in records(source, delimiter) if any(map(str.strip, record.cells))), None)
        if first is None:
            raise FormatError(source.name, expected="a header line; there are only blank lines")
        self.header = [cell.strip() for cell in first.cells]
        self._header_line = first.line
        self._where = {name.lower(): at for at, name in enumerate(self.header)}
        for name in required:
            if name.lower() not in self._where:
                raise FormatError(
                    source.name,
                    line=first.line,
                    column=name,
                    value=first.raw,
                    expected=f"columns {', '.join(required)}",
                )

    def place(self, column: str) -> int:
        """Where a column stands; KeyError where the file has none."""
        return self._where[column.lower()]

    def has(self, column: str) -> bool:
        return column.lower() in self._where

    def read_into(
        self,
        collector: Collector,
        row_of: Callable[[list[str], int], tuple[dict[str, Any], list[CellError]]],
        *,
        unique: str | None = None,
    ) -> None:
        """Call `row_of(cells, line)` for each data row; keep what it gives, refuse where it raises CellError.

        `unique`: a column of the table whose values may not repeat.
        """
        for record in self.data(collector):
            try:
                row, oddities = row_of(record.cells, record.line)
                if unique is None:
                    collector.keep(row, oddities, record.raw)
                else:
                    collector.keep_once(row[unique], row, oddities, record.raw)
            except CellError as error:
                collector.reject(record.line, error, record.raw)

    def data(self, collector: Collector) -> Iterator[Record]:
        """The sound data rows; every other line goes to the collector."""
        width = len(self.header)
        for record in records(self._source, self._delimiter, width=width):
            self.in_file += 1
            if record.error is not None:
                collector.reject(record.line, record.error, record.raw)
            elif record.line == self._header_line or not record.raw.strip():
                collector.skipped += 1
            elif len(record.cells) != width:
                found = f"{len(record.cells)} cells"
                collector.reject(record.line, CellError(None, found, f"{width} cells", "a ragged row"), record.raw)
            elif [cell.strip() for cell in record.cells] == self.header:
                collector.skipped += 1
            else:
                yield record
