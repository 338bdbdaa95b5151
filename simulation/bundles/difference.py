"""Where two files first differ: by row and column in tables, by line elsewhere."""

from __future__ import annotations

import csv
import gzip
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

TOLERANCE = 1e-9
"""Relative; what processors and their libraries may make of the same computation."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`row` counts from 1, the header being row 1. `close`: every difference of the file is within TOLERANCE."""

    file: str
    row: int | None
    column: str
    bundled: str
    computed: str
    close: bool = False

    def __str__(self) -> str:
        place = f", row {self.row}" if self.row else ""
        place += f", column {self.column}" if self.column else ""
        near = " (all differences of this file are within 1e-9)" if self.close else ""
        return f"{self.file}{place}: the bundle has {_shown(self.bundled)}, computed was {_shown(self.computed)}{near}"


def differences(bundled: Mapping[str, bytes], computed: Mapping[str, bytes]) -> list[Difference]:
    """The first difference of each file that is not equal byte by byte, by name of file."""
    names = sorted(bundled.keys() | computed.keys())
    found = (_between(name, bundled.get(name), computed.get(name)) for name in names)
    return [difference for difference in found if difference]


def _between(name: str, bundled: bytes | None, computed: bytes | None) -> Difference | None:
    if bundled == computed:
        return None
    if bundled is None or computed is None:
        return Difference(name, None, "", _there(bundled, "file"), _there(computed, "file"))
    if name.endswith(".gz"):
        bundled, computed = gzip.decompress(bundled), gzip.decompress(computed)
    if name.endswith((".csv", ".csv.gz")):
        return _in_table(name, bundled.decode(), computed.decode())
    return _in_lines(name, bundled.decode(), computed.decode())


def _in_table(name: str, bundled: str, computed: str) -> Difference:
    theirs, ours = csv.reader(io.StringIO(bundled)), csv.reader(io.StringIO(computed))
    first: Difference | None = None
    close = True
    header: list[str] = []
    for number, (left, right) in enumerate(zip_longest(theirs, ours), start=1):
        header = header or left or []
        if left == right:
            continue
        if left is None or right is None:
            return first or Difference(name, number, "", _there(left, "row"), _there(right, "row"))
        for at, (a, b) in enumerate(zip_longest(left, right, fillvalue="")):
            if a != b:
                first = first or Difference(name, number, header[at] if at < len(header) else str(at + 1), a, b)
                close = close and _close(a, b)
    if first is None:  # equal cells, written in another way
        return _in_lines(name, bundled, computed)
    return Difference(first.file, first.row, first.column, first.bundled, first.computed, close)


def _close(a: str, b: str) -> bool:
    try:
        return math.isclose(float(a), float(b), rel_tol=TOLERANCE, abs_tol=0.0)
    except ValueError:
        return False


def _in_lines(name: str, bundled: str, computed: str) -> Difference:
    """The first line that differs, shown from shortly before the place."""
    for number, (a, b) in enumerate(zip_longest(bundled.split("\n"), computed.split("\n")), start=1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a or "", b or "", strict=False)) if x != y), 0)
            near = slice(max(0, at - 30), at + 30)
            return Difference(name, number, "", _cut(a, near), _cut(b, near))
    return Difference(name, None, "", "other bytes", "the same text")


def _there(part: object, what: str) -> str:
    return f"no such {what}" if part is None else f"a {what}"


def _cut(line: str | None, near: slice) -> str:
    return "no such line" if line is None else line[near]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
