"""The time left of a job whose rate changes is learnt from the parts of its training that it has shown."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.prediction.phases import time_left


def test_at_the_beginning_every_mode_is_as_likely() -> None:
    assert time_left(np.array([10.0, 2.0]), np.zeros(2), 50).mean_s == pytest.approx(50 * 6.0)


def test_of_one_mode_everything_is_known() -> None:
    found = time_left(np.array([10.0]), np.array([20.0]), 50)
    assert found == pytest.approx((300.0, 300.0, 300.0))


def test_what_is_seen_counts_with_the_prior_and_is_done() -> None:
    """25 + 10 and 25 of 60 counts are 29.2 and 20.8 of 50 epochs; 10 of the first are done: 19.2 and 20.8 are left."""
    found = time_left(np.array([10.0, 2.0]), np.array([10.0, 0.0]), 50)
    assert found.mean_s == pytest.approx(50 * (35 / 60) * 10 - 100 + 50 * (25 / 60) * 2)


def test_a_job_that_is_done_has_no_time_left() -> None:
    assert time_left(np.array([10.0, 2.0]), np.array([20.0, 30.0]), 50) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("seen", [0.0, 5.0, 15.0])
def test_the_interval_holds_what_the_posterior_draws_and_lies_between_all_fast_and_all_slow(seen: float) -> None:
    rng = np.random.default_rng(0)
    epoch_s, counts = np.array([10.0, 2.0]), np.array([seen, 0.0])
    found = time_left(epoch_s, counts, 50)
    left = 50 - seen
    expected = np.maximum(0.0, 50 * (25 + counts) / (25 + counts).sum() - counts)
    parts = rng.dirichlet(expected / expected.sum() * (50 + seen), 4000)
    draws = np.array([rng.multinomial(round(left), part) @ epoch_s for part in parts])
    assert left * 2 <= found.low_s < found.mean_s < found.high_s <= left * 10
    assert np.mean((draws >= found.low_s) & (draws <= found.high_s)) == pytest.approx(0.95, abs=0.03)
    assert draws.mean() == pytest.approx(found.mean_s, rel=0.02)
