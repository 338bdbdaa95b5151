"""A limit held against a scenario: met or missed, by how much, and whether the interval leaves room for doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.compare.cells import Cell
from simulation.metrics.definitions import METRICS


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on a metric: an upper one, or a lower one where higher is better. Hard ones decide feasibility."""

    metric: str
    limit: float
    hard: bool = True
    from_slo: bool = True

    @property
    def at_least(self) -> bool:
        return METRICS[self.metric].better == "higher"

    def excess(self, value: float) -> float:
        """How far `value` is past the limit (positive) or inside it (zero or negative)."""
        return self.limit - value if self.at_least else value - self.limit


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit held against one scenario. `met` None: the value is unknown, so nothing can be said."""

    metric: str
    limit: float
    unit: str
    hard: bool
    value: float | None
    met: bool | None
    by: float | None  # how far past the limit (met False) or inside it (met True), in `unit`, never negative
    clear: bool | None  # the interval does not reach across the limit; None without an interval


def verdict(bound: Bound, cell: Cell | None) -> Verdict:
    unit = METRICS[bound.metric].unit
    if cell is None or cell.value is None:
        return Verdict(bound.metric, bound.limit, unit, bound.hard, None, None, None, None)
    excess = bound.excess(cell.value)
    met = excess <= 0
    clear = None
    if cell.low is not None and cell.high is not None:
        clear = all((bound.excess(edge) <= 0) == met for edge in (cell.low, cell.high))
    return Verdict(bound.metric, bound.limit, unit, bound.hard, cell.value, met, abs(excess), clear)


def feasible(verdicts: Iterable[Verdict]) -> bool | None:
    """By hard limits alone: False if one is missed, None if one cannot be judged, else True."""
    judged = [v.met for v in verdicts if v.hard]
    if False in judged:
        return False
    return None if None in judged else True
