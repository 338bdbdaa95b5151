"""Where a mean cannot choose: scenarios whose mean JCT is the same, and what does tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from planner.compare.board import Board, Column, Row
from planner.compare.cells import difference_of
from planner.web.numbers import fine_scale
from simulation.provenance import Origin, weakest

MEAN = "jct_mean_s"
TELLING = (
    "jct_p50_s", "jct_p95_s", "wait_mean_s", "wait_p95_s", "makespan_s", "deadline_miss_rate", "rho_max",
    "worst_tenant_slowdown", "jain_gpu_time", "cost_usd", "energy_kwh",
)  # fmt: skip
FEW = 8  # with more scenarios than this, ties are left to the table


@dataclass(frozen=True, slots=True)
class Telling:
    """A metric that differs between the two: both values in one unit, and which is better."""

    column: Column
    first: str
    second: str
    unit: str
    better: int  # 1 or 2: which of the two; 0 where the metric has no better side


@dataclass(frozen=True, slots=True)
class Tie:
    first: Row
    second: Row
    mean: str
    telling: tuple[Telling, ...]
    origin: Origin  # the weakest of the values shown


def ties(board: Board) -> list[Tie]:
    """Pairs of scenarios with one mean JCT, in a study small enough to be read pair by pair."""
    if len(board.rows) > FEW:
        return []
    return [tie for a, b in combinations(board.rows, 2) if (tie := _tie(board, a, b))]


def _tie(board: Board, first: Row, second: Row) -> Tie | None:
    a, b = first.cells.get(MEAN), second.cells.get(MEAN)
    if not a or not b or a.value is None or a.value != b.value:
        return None
    telling = tuple(_telling(board, first, second))
    if not telling:
        return None
    names = [MEAN, *(t.column.name for t in telling)]
    origin = weakest(row.cells[name].origin for row in (first, second) for name in names)
    return Tie(first, second, fine_scale("s", [a.value]).with_unit(a.value), telling, origin)


def _telling(board: Board, first: Row, second: Row) -> Iterator[Telling]:
    for name in TELLING:
        column, a, b = board.column(name), first.cells.get(name), second.cells.get(name)
        if not column or not a or not b or a.value is None or b.value is None:
            continue
        single = a.seeds == b.seeds == 1 and a.value != b.value
        if not single and not difference_of(first.samples[name], second.samples[name]).shown:
            continue
        scale = fine_scale(column.unit, [a.value, b.value])
        lower, higher = (1, 2) if a.value < b.value else (2, 1)
        better = {"lower": lower, "higher": higher}.get(column.better or "", 0)
        yield Telling(column, scale.text(a.value), scale.text(b.value), scale.unit, better)
