"""Paired comparison of two scenarios: differences seed by seed, so that what both share cancels out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from simulation.statistics.intervals import LEVEL, estimate

NOTHING_SHOWN = "no difference shown"


@dataclass(frozen=True, slots=True)
class Paired:
    """Scenario minus baseline over the seeds that both have, with a t interval of the mean difference.

    `shown`: the interval leaves zero out, or the difference is the same, and not zero, in every seed. `words` says
    what to write where nothing is shown, and is empty where it is.
    """

    difference: float | None
    low: float | None
    high: float | None
    relative: float | None  # difference / |mean of the baseline| over the same seeds; None where that is 0
    n: int
    shown: bool
    exact: bool
    words: str


def compare(scenario: Mapping[int, float | None], baseline: Mapping[int, float | None], level: float = LEVEL) -> Paired:
    """Compare one metric by seed. Seeds that only one side has, or whose value is unknown on one, are left out."""
    seeds = sorted(scenario.keys() & baseline.keys())
    pairs = [(scenario[seed], baseline[seed]) for seed in seeds]
    known = [(s, b) for s, b in pairs if s is not None and b is not None and math.isfinite(s) and math.isfinite(b)]
    if not known:
        return Paired(None, None, None, None, 0, False, False, "no seed in which both are known")
    found = estimate([s - b for s, b in known], level)
    difference, base = found.mean or 0.0, sum(b for _, b in known) / len(known)
    # a spread that is only rounding next to the values themselves is none
    scale = max(abs(value) for pair in known for value in pair)
    exact = found.n > 1 and (found.exact or (found.half_width or 0.0) <= 1e-12 * scale)
    shown = exact and abs(difference) > 1e-12 * scale
    if not exact and found.low is not None and found.high is not None:
        shown = found.low > 0 or found.high < 0
    relative = difference / abs(base) if base != 0 else None
    return Paired(difference, found.low, found.high, relative, found.n, shown, exact, _words(found.n, shown, exact))


def _words(n: int, shown: bool, exact: bool) -> str:
    if shown:
        return ""
    if n == 1:
        return "1 seed"
    return "equal in every seed" if exact else NOTHING_SHOWN
