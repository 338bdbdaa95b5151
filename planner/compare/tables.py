"""A board as rows of plain values, for CSV and for programs: machine names, base units, all digits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from planner.compare.board import Board
from planner.compare.cells import Cell
from planner.compare.rows import Row
from planner.studies.models import Run

Value = str | int | float | None

_LEADING = ("scenario", "baseline", "changes", "runs_done", "runs_total", "runs_failed", "feasible", "on_front")
_PER_METRIC = ("", "_low", "_high", "_seeds", "_origin", "_note", "_difference", "_difference_low", "_difference_high",
               "_difference_shown")  # fmt: skip


def table_head(board: Board, metrics: Collection[str] | None = None) -> list[str]:
    """One name a column; that of a value carries its unit in brackets."""
    head = [*_LEADING]
    for column in board.metrics:
        if metrics is None or column.name in metrics:
            head += [f"{column.name}{part}" + (f" [{column.unit}]" if not part else "") for part in _PER_METRIC]
    return [*head, "digest"]


def table_rows(board: Board, metrics: Collection[str] | None = None) -> Iterator[list[Value]]:
    """The rows of the table in its order. Unknown is an empty cell with its note beside it."""
    wanted = [c.name for c in board.metrics if metrics is None or c.name in metrics]
    for row in board.rows:
        values = [_leading(row, board), *(_values(row.cells.get(name)) for name in wanted), [row.digest]]
        yield [value for part in values for value in part]


def _leading(row: Row, board: Board) -> list[Value]:
    changes = "; ".join(f"{c['path']}: {c['old']} -> {c['new']} {c['unit']}".rstrip() for c in row.changes)
    feasible = {True: "yes", False: "no", None: "unknown"}[row.feasible]
    share = f"{row.front_share[0]} of {row.front_share[1]}" if row.front_share else ""
    is_baseline = "yes" if row.scenario_id == board.baseline else "no"
    return [row.label, is_baseline, changes, row.done, row.total, row.states.get(Run.State.FAILED, 0), feasible, share]


def _values(cell: Cell | None) -> list[Value]:
    if cell is None:
        return [None] * len(_PER_METRIC)
    gap = cell.difference
    differences: list[Value] = (
        [gap.absolute, gap.low, gap.high, "yes" if gap.shown else "no"] if gap else [None, None, None, None]
    )
    return [cell.value, cell.low, cell.high, cell.seeds, str(cell.origin), cell.note, *differences]
