"""Records of a delimited text file, with the lines that they stand on; a stray quote spoils one line, not the rest."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.source import Source

MAX_RECORD_LINES = 100


@dataclass(frozen=True, slots=True)
class Record:
    """Cells of one record, its first line, its raw text; `error` where the line cannot be split."""

    line: int
    cells: list[str]
    raw: str
    error: CellError | None = None


class _TooManyLines(Exception):
    pass


class _LineFeed:
    """Lines for csv.reader that can be given back, and that remembers which ones the present record took."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._returned: deque[tuple[int, str]] = deque()
        self.taken: list[tuple[int, str]] = []

    def __iter__(self) -> _LineFeed:
        return self

    def __next__(self) -> str:
        if len(self.taken) >= MAX_RECORD_LINES:
            raise _TooManyLines
        line = self._returned.popleft() if self._returned else next(self._lines)
        self.taken.append(line)
        return line[1] + "\n"

    def give_back_all_but_first(self) -> None:
        self._returned.extendleft(reversed(self.taken[1:]))
        del self.taken[1:]


def records(source: Source, delimiter: str, *, width: int | None = None, skip_lines: int = 0) -> Iterator[Record]:
    """Records of `source`, blank lines as records without cells.

    `width`: the number of cells of a sound record; one that has another and goes over several lines is taken for a
    stray quote. FormatError where a cell or the number of columns is over the limit.
    """
    lines = source.lines()
    for _ in range(skip_lines):
        next(lines, None)
    feed = _LineFeed(lines)
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    limits = source.limits
    while True:
        feed.taken = []
        cells, error = _next_cells(reader, feed)
        if cells is None:
            return
        if len(feed.taken) > 1 and (error or (width is not None and len(cells) != width)):
            feed.give_back_all_but_first()
            error = CellError(None, feed.taken[0][1], "closed quotes", "a quote is opened and not closed in this line")
        line, raw = feed.taken[0][0], "\n".join(text for _, text in feed.taken)
        if len(cells) > limits.columns:
            raise FormatError(source.name, line=line, expected=f"at most {limits.columns:,} columns")
        if len(raw) > limits.cell_chars and max(map(len, cells), default=0) > limits.cell_chars:
            raise FormatError(source.name, line=line, expected=f"cells of at most {limits.cell_chars:,} characters")
        yield Record(line, cells, raw, error)


def _next_cells(reader: Iterator[list[str]], feed: _LineFeed) -> tuple[list[str] | None, CellError | None]:
    try:
        return next(reader), None
    except StopIteration:
        if not feed.taken:
            return None, None
        broken = "a quote that is opened must be closed"
    except csv.Error as problem:
        broken = str(problem)
    except _TooManyLines:
        broken = f"a record goes over at most {MAX_RECORD_LINES} lines"
    return [], CellError(None, feed.taken[0][1], "cells with sound quotes", broken)
