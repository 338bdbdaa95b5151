"""Intervals over seeds: right width, right coverage, and honest where there is nothing to show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simulation.statistics.intervals import estimate


def test_the_interval_is_student_s_t():
    values = [3.0, 5.0, 7.0, 9.0]
    low, high = stats.t.interval(0.95, 3, loc=6.0, scale=stats.sem(values))
    found = estimate(values)
    assert (found.mean, found.low, found.high) == pytest.approx((6.0, low, high))
    assert (found.n, found.method) == (4, "mean of 4 seeds, 95 % t interval")


def test_one_seed_has_no_interval():
    found = estimate([4.0])
    assert (found.mean, found.low, found.high, found.n, found.method) == (4.0, None, None, 1, "1 seed")
    assert found.half_width is None
    assert not found.exact


@pytest.mark.parametrize("value", [0.0, 0.1 + 0.2, -7.0, 1e12])
def test_equal_values_are_exact(value):
    found = estimate([value] * 10)
    assert (found.mean, found.low, found.high, found.exact) == (value, value, value, True)
    assert found.method == "exact: equal in all 10 seeds"


def test_rounding_is_no_spread_but_a_small_spread_is():
    assert estimate([0.1 + 0.2, 0.3]).exact
    assert not estimate([0.3, 0.3 + 1e-9]).exact


def test_unknown_values_are_left_out_and_none_known_is_unknown():
    assert estimate([1.0, None, float("nan"), float("inf"), 3.0]).n == 2
    found = estimate([None])
    assert (found.mean, found.n, found.method) == (None, 0, "no known value")


def test_ninety_five_per_cent_intervals_cover_the_mean_in_ninety_five_per_cent():
    rng = np.random.default_rng(8)
    trials = 2000
    hits = 0
    for row in rng.normal(10.0, 3.0, (trials, 8)):
        found = estimate(row)
        hits += found.low <= 10.0 <= found.high
    low, high = stats.binom.interval(0.999, trials, 0.95)
    assert low <= hits <= high
