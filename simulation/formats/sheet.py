"""A table of free layout, from delimited text or a workbook: unique column labels and rows of cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record, records
from simulation.formats.dialect import SEPARATORS, find_dialect
from simulation.formats.errors import FormatError
from simulation.formats.reading import RAW_CHARS, Question
from simulation.formats.source import HEAD_LINES, Source
from simulation.formats.workbook import rows_of, sheet_names

SAMPLES = 5
ANY_SHEET = "any spreadsheet: CSV, TSV or XLSX with one header row"
SHEET_LEAVES = "columns that are mapped to nothing; further sheets than the one chosen; formulas beyond their value"
"""Words for the reference page, true of every reader of free layouts."""


@dataclass
class Sheet:
    """Labels (made unique) and sound rows; what is not sound has gone to the collector. Positions count from 0.

    `head`: the first rows as they are.
    """

    labels: list[str]
    rows: list[Record]
    in_file: int
    facts: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)

    def column(self, position: int) -> list[str]:
        return [row.cells[position] for row in self.rows]

    def samples(self, position: int) -> tuple[str, ...]:
        return tuple(row.cells[position][:80] for row in self.rows[:SAMPLES])


def read_sheet(source: Source, collector: Collector) -> Sheet:
    """The first line that is not blank is the header; blank rows are skipped, ragged ones refused."""
    if source.zipped:
        lines, facts = _workbook_records(source)
    else:
        lines, facts = _text_records(source)
    header: list[str] | None = None
    sheet = Sheet([], [], 0, facts)
    for record in lines:
        sheet.in_file += 1
        if sheet.in_file <= HEAD_LINES:
            sheet.head.append(record.raw[:RAW_CHARS])
        if record.error is not None:
            collector.reject(record.line, record.error, record.raw)
        elif not any(cell.strip() for cell in record.cells):
            collector.skipped += 1
        elif header is None or record.cells == header:
            collector.skipped += 1
            header = record.cells
        elif len(record.cells) != len(header):
            found = f"{len(record.cells)} cells"
            collector.reject(record.line, CellError(None, found, f"{len(header)} cells", "a ragged row"), record.raw)
        else:
            sheet.rows.append(record)
    if header is None:
        raise FormatError(source.name, expected="a header line; there are only blank lines")
    sheet.labels = unique_labels(header)
    return sheet


def unique_labels(header: list[str]) -> list[str]:
    """Column labels: an empty one gets its place as name, a repeated one its count."""
    labels: list[str] = []
    uses: dict[str, int] = {}
    for place, cell in enumerate(header, start=1):
        label = " ".join(cell.split()) or f"column {place}"
        uses[label] = uses.get(label, 0) + 1
        labels.append(label if uses[label] == 1 else f"{label} ({uses[label]})")
    return labels


def _text_records(source: Source) -> tuple[Iterator[Record], list[str]]:
    dialect = find_dialect(source)
    facts = [*source.facts(), f"Cells are separated by {SEPARATORS.get(dialect.separator, repr(dialect.separator))}."]
    found = _with_width(source, dialect.separator, dialect.skip_lines)
    return found, facts


def _with_width(source: Source, separator: str, skip_lines: int) -> Iterator[Record]:
    """The records; the lines before the header come as blank records, so that every line is accounted for."""
    for number in range(skip_lines):
        yield Record(number + 1, [], "")
    first = next((each for each in records(source, separator, skip_lines=skip_lines) if each.raw.strip()), None)
    width = None if first is None else len(first.cells)
    yield from records(source, separator, width=width, skip_lines=skip_lines)


def _workbook_records(source: Source) -> tuple[Iterator[Record], list[str]]:
    names = sheet_names(source)
    filled = [name for name in names if any(any(cells) for _, cells in rows_of(source, name))]
    if not filled:
        raise FormatError(source.name, expected="a sheet with a header and rows; all are empty")
    chosen = filled[0]
    if len(filled) > 1:
        answer = source.interview.ask(
            Question(
                "sheet",
                "Which sheet is meant?",
                "choice",
                tuple((name, name) for name in filled),
                None,
                "several sheets hold something; one is read",
            )
        )
        chosen = answer or chosen
    facts = [f"{source.size:,} bytes, an Excel workbook.", f"Sheet {chosen!r}, values as last computed by the program."]
    return _cells(source, chosen), facts


def _cells(source: Source, sheet: str) -> Iterator[Record]:
    rows = [(number, cells) for number, cells in rows_of(source, sheet)]
    while rows and not any(rows[-1][1]):
        rows.pop()  # rows that only carry a format
    width = max((len(cells) for _, cells in rows), default=0)
    while width and not any(len(cells) >= width and cells[width - 1] for _, cells in rows):
        width -= 1
    for number, cells in rows:
        padded = (cells + [""] * width)[:width]
        yield Record(number, padded, " | ".join(padded))
