"""The Gittins index, against sums over the sample written out."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.gittins import gittins_table, index_at

SAMPLE = np.array([10.0, 20.0, 40.0, 80.0])


def by_hand(attained: float, delta: float) -> float:
    """Chance of ending within delta, over the mean service until then, of those that need more than `attained`."""
    beyond = [value for value in SAMPLE if value > attained]
    ends = sum(value <= attained + delta for value in beyond)
    served = sum(value if value <= attained + delta else delta for value in beyond) / len(beyond)
    return round(1e6 * round(ends / len(beyond), 5) / served, 4)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_index_is_chance_over_service(place: int) -> None:
    assert gittins_table(SAMPLE, 25.0)[place] == by_hand(SAMPLE[place] - 1.0, 25.0)


def test_expected_service_may_be_rounded_down() -> None:
    exact, whole = gittins_table(SAMPLE, 25.0), gittins_table(SAMPLE, 25.0, whole_expectation=True)
    assert (whole >= exact).all()
    assert whole[1] > exact[1]  # 85 / 3 GPU-seconds, against 28


def test_beyond_the_sample_nothing_is_expected() -> None:
    table = gittins_table(SAMPLE, 25.0)
    assert index_at(SAMPLE, table, np.array([0.0, 9.0, 10.0, 79.0, 80.0, 1e9])).tolist() == [
        table[0], table[0], table[1], table[3], 0.0, 0.0,
    ]  # fmt: skip
