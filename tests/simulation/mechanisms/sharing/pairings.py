"""Matchings found by other ways than that of the code under test."""

from __future__ import annotations

from functools import cache

import numpy as np

from simulation.records import Floats


def heaviest(weights: Floats) -> float:
    """Weight of a maximum-weight matching, by trying every partner of the first that is left, or none."""

    @cache
    def best(left: tuple[int, ...]) -> float:
        if len(left) < 2:
            return 0.0
        first, rest = left[0], left[1:]
        paired = (weights[first, other] + best(tuple(o for o in rest if o != other)) for other in rest)
        return max(best(rest), *paired)

    return float(best(tuple(range(len(weights)))))


def greedy(weights: Floats) -> float:
    """Weight of the matching that takes the heaviest edge of all that are left, again and again."""
    left, total = np.triu(weights, 1), 0.0
    while left.max(initial=0.0) > 0:
        one, other = np.unravel_index(left.argmax(), left.shape)
        total += float(left[one, other])
        for taken in (one, other):
            left[taken, :] = left[:, taken] = 0.0
    return total
