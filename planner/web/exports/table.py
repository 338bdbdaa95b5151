"""A table to take along: machine names with units, rows unrounded, and what holds for all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.web.exports.cells import flat


@dataclass(frozen=True, slots=True)
class Table:
    """`head` are machine names; units stand at their ends or in a column `unit`, origins in a column `origin`.

    `about` is what holds for every row: engine, digests of the inputs, the view. Nothing in it tells when the table
    was written, so that equal content gives equal bytes.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[Sequence[Any], ...]
    about: Mapping[str, str]


def table_of(name: str, title: str, records: Iterable[Any], about: Mapping[str, str]) -> Table:
    """A table of dicts; nested ones get dotted names."""
    head, rows = flat(records)
    return Table(name, title, tuple(head), tuple(rows), about)
