"""Paired comparison: shown only where the interval leaves zero out, exact where nothing varies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simulation.statistics.comparison import compare


def by_seed(values):
    return dict(enumerate(values))


def test_pairing_cancels_what_both_share():
    rng = np.random.default_rng(4)
    luck = rng.normal(100.0, 30.0, 10)
    found = compare(by_seed(luck + 2 + rng.normal(0, 0.5, 10)), by_seed(luck))
    assert found.shown
    assert found.low <= 2.0 <= found.high
    assert found.words == ""
    unpaired = stats.ttest_ind(luck + 2, luck)
    assert unpaired.pvalue > 0.5  # the same data, not paired, show nothing


def test_an_interval_over_zero_shows_no_difference():
    found = compare(by_seed([1.0, 3.0, 2.0]), by_seed([2.0, 2.0, 2.0]))
    assert (found.difference, found.shown, found.words) == (0.0, False, "no difference shown")


def test_the_relative_difference_is_of_the_baseline():
    found = compare(by_seed([150.0, 152.0]), by_seed([100.0, 102.0]))
    assert (found.difference, found.relative) == (50.0, pytest.approx(50 / 101))
    assert compare(by_seed([1.0]), by_seed([0.0])).relative is None
    assert compare(by_seed([-1.0]), by_seed([-2.0])).relative == 0.5


def test_one_seed_shows_nothing():
    found = compare({7: 5.0}, {7: 1.0})
    assert (found.difference, found.low, found.high, found.shown, found.words) == (4.0, None, None, False, "1 seed")


def test_the_same_difference_in_every_seed_is_exact():
    found = compare(by_seed([2250.0] * 3), by_seed([1800.0] * 3))
    assert (found.difference, found.exact, found.shown) == (450.0, True, True)
    jittered = compare(by_seed([1e6 + 0.1, 2e6 + 0.1]), by_seed([1e6, 2e6]))
    assert (jittered.exact, jittered.shown) == (True, True)
    equal = compare(by_seed([0.1 + 0.2, 5.0]), by_seed([0.3, 5.0]))
    assert (equal.exact, equal.shown, equal.words) == (True, False, "equal in every seed")


def test_only_seeds_that_both_know_are_compared():
    found = compare({1: 1.0, 2: None, 3: 5.0, 4: float("inf")}, {1: 0.0, 2: 1.0, 4: 1.0, 9: 1.0})
    assert (found.n, found.difference) == (1, 1.0)
    none = compare({1: None}, {1: 2.0})
    assert (none.difference, none.shown, none.words) == (None, False, "no seed in which both are known")


def test_where_nothing_differs_one_in_twenty_is_shown():
    rng = np.random.default_rng(12)
    trials = 1500
    shown = 0
    for _ in range(trials):
        luck = rng.normal(0, 5, 6)
        shown += compare(by_seed(luck + rng.normal(0, 1, 6)), by_seed(luck + rng.normal(0, 1, 6))).shown
    low, high = stats.binom.interval(0.999, trials, 0.05)
    assert low <= shown <= high
