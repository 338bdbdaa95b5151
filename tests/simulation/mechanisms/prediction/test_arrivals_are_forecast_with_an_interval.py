"""The forecast of arrivals: mean of the window behind, and an interval that covers the truth as often as it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulation.mechanisms.prediction.arrivals import ArrivalForecast


def test_the_mean_of_the_last_periods_counts() -> None:
    forecast = ArrivalForecast(period_s=100.0, periods=5)
    for at_s in (50.0, 150.0, 150.0, 990.0):
        forecast.arrived(at_s, 2)
    assert forecast.at(1000.0).mean == 2 / 5
    assert forecast.at(1500.0).mean == 0.0


def test_at_the_beginning_the_time_so_far_counts() -> None:
    forecast = ArrivalForecast(period_s=100.0, periods=5)
    assert math.isnan(forecast.at(0.0).mean)
    assert forecast.at(0.0).high == math.inf
    forecast.arrived(10.0, 3)
    assert forecast.at(50.0).mean == 6.0


def test_an_empty_window_bounds_the_rate_by_the_rule_of_three() -> None:
    """No event seen: the upper bound of the mean is -ln(0.025) = 3.69."""
    quiet = ArrivalForecast(period_s=1.0, periods=1).at(1.0)
    assert (quiet.mean, quiet.low) == (0.0, 0.0)
    assert quiet.high == pytest.approx(-math.log(0.025))


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng, covered = np.random.default_rng(3), 0
    for _ in range(400):
        forecast = ArrivalForecast(period_s=100.0, periods=5)
        for at_s in np.sort(rng.uniform(0.0, 500.0, rng.poisson(5 * 4.0))).tolist():
            forecast.arrived(at_s, 1)
        seen = forecast.at(500.0)
        covered += seen.low <= 4.0 <= seen.high
    assert covered / 400 >= 0.93
