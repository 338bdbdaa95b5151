"""The comparison as a table for programs: one row a scenario and metric, unrounded, unknown left empty."""

from __future__ import annotations

from collections.abc import Iterator

from planner.compare.board import Board
from planner.compare.cells import Cell
from planner.compare.rows import Row

Value = str | int | float | None

HEAD = (
    "scenario", "changes", "metric", "value", "unit", "low", "high", "method", "seeds", "origin", "inputs", "note",
    "baseline", "difference", "difference_low", "difference_high", "relative", "shown",
    "feasible", "on_front", "scenario_digest",
)  # fmt: skip


def csv_rows(board: Board) -> Iterator[list[Value]]:
    yield list(HEAD)
    baseline = board.row(board.baseline)
    for row in board.rows:
        for column in board.metrics:
            if cell := row.cells.get(column.name):
                yield _row(row, column.name, cell, baseline.label if baseline else "")


def _row(row: Row, metric: str, cell: Cell, baseline: str) -> list[Value]:
    changes = "; ".join(f"{c['path']}: {c['old']} -> {c['new']} {c['unit']}".rstrip() for c in row.changes)
    made = [cell.unit, cell.low, cell.high, cell.method, cell.seeds, str(cell.origin), " ".join(cell.inputs), cell.note]
    d = cell.difference
    against: list[Value] = [d.absolute, d.low, d.high, d.relative, _yes(d.shown)] if d else [None] * 5
    share = f"{row.front_share[0]} of {row.front_share[1]}" if row.front_share else ""
    return [row.label, changes, metric, cell.value, *made, baseline, *against, _yes(row.feasible), share, row.digest]


def _yes(answer: bool | None) -> str:
    return {True: "yes", False: "no", None: "unknown"}[answer]
