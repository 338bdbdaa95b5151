"""Numbers of a comparison: a mean over seeds with its interval, and a paired difference to the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from simulation.provenance import Origin

LEVEL = 0.95
NO_DIFFERENCE = "no difference shown"

Samples = Mapping[int, float | None]  # seed -> value of one metric; None is unknown


@dataclass(frozen=True, slots=True)
class Difference:
    """Scenario minus baseline over the seeds that both have, seed by seed.

    `shown` is True only where the interval leaves out zero (or both sides are exact and differ); an arrow is drawn
    then and only then. With fewer than two common seeds nothing can be shown, and `words` says so.
    """

    absolute: float | None
    low: float | None
    high: float | None
    relative: float | None  # absolute / baseline's mean over the same seeds; None where that is 0
    shown: bool
    words: str  # what stands in the cell where there is no arrow; "" where `shown`
    seeds: int  # common seeds


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one scenario over its finished seeds.

    `value` None is unknown and `note` says why; it is never 0. `low` and `high` are None with one seed ("1 seed").
    """

    value: float | None
    unit: str
    low: float | None
    high: float | None
    method: str  # "mean of 10 seeds, 95 % t interval" | "exact: equal in all 10 seeds" | "1 seed"
    seeds: int
    origin: Origin
    inputs: tuple[str, ...] = ()
    note: str = ""
    difference: Difference | None = None

    @property
    def half_width(self) -> float | None:
        return None if self.high is None or self.low is None else (self.high - self.low) / 2

    def against(self, difference: Difference | None) -> Cell:
        return replace(self, difference=difference)
