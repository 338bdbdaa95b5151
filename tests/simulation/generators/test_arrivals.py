"""Arrivals: constant and Poisson phases, and recorded times at another demand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simulation.generators.arrivals import arrival_times
from simulation.generators.demand import scaled
from simulation.scenario import Phase, Requests


def rng(seed=1):
    return np.random.default_rng(seed)


def phases(*pairs, process="poisson", end_s=100.0):
    return Requests(phases=[Phase(start_s=s, rate_per_s=r) for s, r in pairs], process=process, end_s=end_s)


def test_constant_phases_are_evenly_spaced_and_end_before_the_next():
    times = arrival_times(phases((0, 2), (2, 0), (5, 1), process="constant", end_s=8), rng())
    assert list(times) == [0.0, 0.5, 1.0, 1.5, 5.0, 6.0, 7.0]


def test_phases_in_any_order_and_beyond_the_end():
    times = arrival_times(phases((5, 1), (50, 9), (0, 2), process="constant", end_s=7), rng())
    assert times.max() == 6.0
    assert len(times) == 12


def test_poisson_counts_and_gaps_follow_the_rate():
    times = arrival_times(phases((0, 50), (1000, 5), end_s=3000), rng(3))
    fast, slow = times[times < 1000], times[times >= 1000]
    assert abs(len(fast) - 50_000) < 4 * 50_000**0.5
    assert abs(len(slow) - 10_000) < 4 * 10_000**0.5
    assert (np.diff(times) >= 0).all()
    assert stats.kstest(np.diff(fast), "expon", args=(0, 1 / 50)).pvalue > 0.001


def test_equal_seeds_give_equal_arrivals_and_others_do_not():
    requests = phases((0, 5))
    assert (arrival_times(requests, rng(1)) == arrival_times(requests, rng(1))).all()
    assert len(arrival_times(requests, rng(1))) != len(arrival_times(requests, rng(2)))


def test_recorded_times_are_sorted_and_otherwise_kept():
    times = arrival_times(Requests(times_s=[5.0, 0.0, 5.0, 86_400.0]), rng())
    assert list(times) == [0.0, 5.0, 5.0, 86_400.0]


def test_nothing_after_the_horizon():
    assert list(arrival_times(Requests(times_s=[0.0, 9.0, 10.0]), rng(), horizon_s=10.0)) == [0.0, 9.0]


@pytest.mark.parametrize("factor", [0.3, 1.7, 3.0])
def test_demand_scales_recorded_times(factor):
    times = np.linspace(0, 1e5, 20_000)
    rows, found = scaled(times, factor, rng(4))
    assert len(found) == pytest.approx(factor * 20_000, rel=0.03)
    assert (np.diff(found) >= 0).all()
    if factor < 1:
        assert (found == times[rows]).all()


def test_demand_scales_rates_of_phases():
    assert len(arrival_times(phases((0, 10), process="constant", end_s=10), rng(), demand_factor=1.5)) == 150


def test_a_factor_of_one_draws_nothing():
    generator = rng(9)
    scaled(np.arange(10.0), 1.0, generator)
    assert generator.random() == rng(9).random()


def test_no_requests():
    assert len(arrival_times(phases((0, 0)), rng())) == 0
    assert len(scaled(np.empty(0), 2.0, rng())[0]) == 0
