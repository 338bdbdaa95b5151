"""Interval of a mean over seeds: Student's t at 95 %, one value a seed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scipy import stats

LEVEL = 0.95
ROUNDING = 1e-12  # a spread below this share of the largest value is rounding


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds. `low` and `high` are None with fewer than two seeds; equal to `mean` where it is exact."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    @property
    def exact(self) -> bool:
        """Every one of two seeds or more gave the same value."""
        return self.n > 1 and self.low == self.high

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def estimate(values: Iterable[float | None], level: float = LEVEL) -> Estimate:
    """Mean and t interval of the known finite values, one a seed; unknown ones (None, nan, infinite) are left out."""
    known = [float(v) for v in values if v is not None and math.isfinite(v)]
    n = len(known)
    if n == 0:
        return Estimate(None, None, None, 0, "no known value")
    if n == 1:
        return Estimate(known[0], None, None, 1, "1 seed")
    if same(known):
        return Estimate(known[0], known[0], known[0], n, f"exact: equal in all {n} seeds")
    # plain floats: a handful of seeds a cell and thousands of cells, where arrays would cost ten times as much
    mean = math.fsum(known) / n
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in known) / (n - 1))
    half = _quantile((1 + level) / 2, n - 1) * deviation / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half, n, f"mean of {n} seeds, {level * 100:g} % t interval")


@lru_cache(maxsize=256)
def _quantile(share: float, freedom: int) -> float:
    """Student's t. A table asks for the same one in thousands of cells."""
    return float(stats.t.ppf(share, freedom))


def same(values: Sequence[float]) -> bool:
    """Whether all values are equal but for rounding."""
    return max(values) - min(values) <= ROUNDING * max(map(abs, values))
