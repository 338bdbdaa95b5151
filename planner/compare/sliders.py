"""What the limit controls beside a front need: ranges, the limit that holds, and each scenario's value."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from planner.compare.board import Board
from planner.compare.limits import Limit
from simulation.metrics.definitions import OBJECTIVES

SLIDERS = 4  # beside those that carry a limit or an axis


@dataclass(frozen=True, slots=True)
class Slider:
    """A limit control: the range of the values and each scenario's value, for the rug over it."""

    metric: str
    title: str
    unit: str
    better: str | None
    low: float
    high: float
    values: tuple[tuple[float, bool], ...]  # (value, survives all limits)
    limit: Limit | None


def sliders_of(
    board: Board, survivors: Collection[uuid.UUID], limits: Sequence[Limit], axes: Sequence[str]
) -> tuple[Slider, ...]:
    """Limits first, then the axes, then other objectives that vary, up to a handful."""
    held = {limit.metric: limit for limit in limits}
    others = [name for name in OBJECTIVES if (column := board.column(name)) and column.varies and column.known]
    wanted = list(dict.fromkeys([*held, *axes, *others]))[: max(SLIDERS, len({*held, *axes}))]
    sliders = (_slider(board, name, survivors, held.get(name)) for name in wanted)
    return tuple(slider for slider in sliders if slider is not None)


def _slider(board: Board, name: str, survivors: Collection[uuid.UUID], limit: Limit | None) -> Slider | None:
    column = board.column(name)
    values = [
        (cell.value, row.scenario_id in survivors)
        for row in board.rows
        if (cell := row.cells.get(name)) is not None and cell.value is not None
    ]
    if column is None or not values:
        return None
    reach = [value for value, _ in values] + ([limit.limit] if limit else [])
    return Slider(name, column.title, column.unit, column.better, min(reach), max(reach), tuple(sorted(values)), limit)
