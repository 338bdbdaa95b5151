"""The comparison table as it is written: texts, units, marks and arrows for every cell."""

from __future__ import annotations

from dataclasses import dataclass

from planner.compare.board import Board, Column, Row
from planner.compare.cells import Cell, Difference
from planner.web.numbers import Scale, scale_for, written


@dataclass(frozen=True, slots=True)
class Heading:
    column: Column
    scale: Scale
    sort: str  # what the address asks for when the heading is pressed
    direction: str  # aria-sort

    @property
    def unit(self) -> str:
        return self.scale.head


@dataclass(frozen=True, slots=True)
class Shown:
    """One cell: the value with its interval, and beside it the difference to the baseline."""

    metric: str
    title: str
    cell: Cell | None
    text: str
    interval: str
    why: str  # of a missing value
    difference: str  # signed, with an arrow; "" where words stand instead
    relative: str
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    row: Row
    cells: tuple[Shown, ...]
    is_baseline: bool


def headings(board: Board, columns: list[Column], sort: str) -> list[Heading]:
    return [_heading(board, column, sort) for column in columns]


def _heading(board: Board, column: Column, sort: str) -> Heading:
    scale = scale_for(column.unit, [c.value for r in board.rows if (c := r.cells.get(column.name))])
    now = "ascending" if sort == column.name else "descending" if sort == f"-{column.name}" else "none"
    return Heading(column, scale, f"-{column.name}" if now == "ascending" else column.name, now)


def lines(board: Board, heads: list[Heading], sort: str) -> list[Line]:
    """Rows in the order of the study or by one metric; rows without a value come last."""
    return [
        Line(row, tuple(_shown(row, head, board) for head in heads), row.scenario_id == board.baseline)
        for row in _sorted(board, sort)
    ]


def _sorted(board: Board, sort: str) -> list[Row]:
    if not sort:
        return list(board.rows)
    values = {r.scenario_id: c.value for r in board.rows if (c := r.cells.get(sort.lstrip("-")))}
    known = [(value, row) for row in board.rows if (value := values.get(row.scenario_id)) is not None]
    known.sort(key=lambda pair: pair[0], reverse=sort.startswith("-"))
    return [row for _, row in known] + [row for row in board.rows if values.get(row.scenario_id) is None]


def _shown(row: Row, head: Heading, board: Board) -> Shown:
    cell = row.cells.get(head.column.name)
    title = f"{row.label}: {head.column.title}"
    if cell is None or cell.value is None:
        why = cell.note if cell and cell.note else _why_unknown(row)
        return Shown(head.column.name, title, cell, "", "", why, "", "", "")
    text, relative, words = _against(cell.difference, head.scale)
    if row.scenario_id == board.baseline:
        words = "baseline"
    value, spread = head.scale.text(cell.value), interval(cell, head.scale)
    return Shown(head.column.name, title, cell, value, spread, "", text, relative, words)


def _why_unknown(row: Row) -> str:
    if row.done:
        return "not known for this scenario"
    failed = row.states.get("failed", 0)
    return "every run failed" if failed and failed == row.total else "no run has finished yet"


def interval(cell: Cell, scale: Scale) -> str:
    """What stands beneath a value: the half width of its interval, "exact" or "1 seed"."""
    if cell.half_width is None:
        return cell.method.split(":")[0].split(",")[0] if cell.method else ""
    if cell.half_width == 0:
        return "exact"
    small = scale.small(cell.half_width)
    return small if small.startswith("under") else f"±{small}"


def _against(difference: Difference | None, scale: Scale) -> tuple[str, str, str]:
    if difference is None or difference.absolute is None or not difference.shown:
        return "", "", difference.words if difference else ""
    arrow = "↓" if difference.absolute < 0 else "↑"
    share = "" if difference.relative is None else f"{written(100 * difference.relative, 0, sign=True)} %"
    return f"{arrow} {scale.text(difference.absolute, sign=True)}", share, ""
