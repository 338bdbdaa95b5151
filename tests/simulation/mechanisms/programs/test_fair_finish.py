"""The fair end of a job is the mean of its estimates over time, with a part of the latest."""

from __future__ import annotations

import pytest

from simulation.mechanisms.programs.fair_finish import FairFinishes


def test_estimates_count_by_how_long_they_held() -> None:
    finishes = FairFinishes()
    finishes.estimate(7, 100.0, 1000.0)
    assert finishes.fair_s(7, 100.0) == 1000.0
    finishes.estimate(7, 400.0, 2000.0)
    assert finishes.fair_s(7, 400.0) == pytest.approx(0.9 * 1000.0 + 0.1 * 2000.0)
    assert finishes.fair_s(7, 500.0) == pytest.approx(0.9 * (300 * 1000.0 + 100 * 2000.0) / 400 + 0.1 * 2000.0)
