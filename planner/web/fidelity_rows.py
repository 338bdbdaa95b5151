"""What the page of agreement shows: rows that were asked for, in words and figures, and the pairs of its charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict

from planner.evidence.fidelity import MEAN_JCT, VERDICTS, Agreement, Group, Row
from planner.web.exports.table import Table
from planner.web.figures.agreement import Pair
from planner.web.numbers import times, written

STATES = {"pass": "on", "fail": "bad", "reported": "ask", "recorded": ""}
"""Verdict -> the look of its word."""
HEAD = ("case", "quantity", "theirs", "ours", "error", "tolerance", "unit", "verdict", "times_faster")


@dataclass(frozen=True, slots=True)
class Filter:
    """What the address asks for; `notes` tell what of it is not known and was left out."""

    peer: str
    verdict: str
    text: str
    notes: tuple[str, ...]

    @property
    def narrow(self) -> bool:
        return bool(self.peer or self.verdict or self.text)

    def kept(self, rows: Iterable[Row]) -> list[Row]:
        return [
            row
            for row in rows
            if self.peer in ("", row.peer)
            and self.verdict in ("", row.verdict)
            and self.text.casefold() in f"{row.case} {row.quantity}".casefold()
        ]


def filter_of(query: Mapping[str, str], found: Agreement) -> Filter:
    known: dict[str, Iterable[str]] = {"peer": {row.peer for row in found.rows}, "verdict": VERDICTS}
    asked = {name: query.get(name, "") for name in known}
    wrong = [name for name, value in asked.items() if value and value not in known[name]]
    notes = tuple(f"There is no {name} “{asked[name][:40]}”; all are shown." for name in wrong)
    kept = {name: "" if name in wrong else value for name, value in asked.items()}
    return Filter(kept["peer"], kept["verdict"], query.get("case", "").strip()[:80], notes)


@dataclass(frozen=True, slots=True)
class Line:
    """A row as the table shows it."""

    row: Row
    theirs: str
    ours: str | None
    error: str | None
    share: str  # the error in per cent of theirs, where that says something
    tolerance: str | None
    faster: str | None
    state: str


class Shown(TypedDict):
    group: Group
    cases: list[tuple[str, list[Line]]]


def shown(groups: Iterable[Group]) -> list[Shown]:
    return [
        {"group": group, "cases": [(case.rows[0].run, [_line(row) for row in case.rows]) for case in group.cases]}
        for group in groups
    ]


def _line(row: Row) -> Line:
    return Line(
        row=row,
        theirs=amount(row.theirs),
        ours=None if row.ours is None else amount(row.ours),
        error=None if row.error is None else amount(row.error),
        share="" if not row.error or row.share is None else f"{amount(100 * row.share)} %",
        tolerance=None if row.tolerance is None else amount(row.tolerance),
        faster=None if row.speedup is None else times(row.speedup),
        state=STATES[row.verdict],
    )


def amount(value: float) -> str:
    """Up to three decimals, none that are zero; what is smaller is said to be."""
    if 0 < abs(value) < 0.0005:
        return "under 0.001"
    text = written(value, 3)
    return text.rstrip("0").rstrip(".")


def pairs(rows: Iterable[Row]) -> list[Pair]:
    """Mean completion times that both know, for the charts."""
    return [
        Pair(
            row.case, row.theirs, row.ours, row.verdict == "fail", row.tolerance / row.theirs if row.tolerance else None
        )
        for row in rows
        if row.quantity == MEAN_JCT and row.ours is not None and row.theirs > 0 and row.ours > 0
    ]


def table(found: Agreement, rows: Iterable[Row]) -> Table:
    """The rows to take along, unrounded."""
    lines = ((r.case, r.quantity, r.theirs, r.ours, r.error, r.tolerance, r.unit, r.verdict, r.speedup) for r in rows)
    about = {"engine": found.engine, "made_on": found.made_on, "command": found.command}
    return Table("agreement", "Agreement with other simulators", HEAD, tuple(lines), about)
