"""Finish-time fairness: the largest ratio of finish times cannot be made smaller."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.finish_time import finish_ratio, finish_time
from simulation.mechanisms.programs.linear import LinearProgram
from tests.simulation.mechanisms.programs.demands import assert_feasible, by_simplex, demand, random_demand, rate_of


def can_be_met(wanted: Demand, ratio: float) -> bool:
    """Whether shares exist with which no job's ratio is above `ratio`."""
    alone_s = wanted.isolated_s + wanted.left_s / wanted.equal_rate()
    spare_s = ratio * alone_s - wanted.age_s
    if (spare_s <= 0).any():
        return False
    worth = np.where(wanted.usable, wanted.rate, 0.0)
    lp = LinearProgram(
        np.zeros(worth.shape), worth, np.zeros(len(worth)), wanted.left_s / spare_s, wanted.gang, wanted.gpus * 1.0
    )
    reached = by_simplex(lp)
    assert reached is not None
    return reached >= 1.0


@pytest.mark.parametrize("seed", range(20))
def test_no_shares_have_a_smaller_largest_ratio(seed: int) -> None:
    wanted = random_demand(seed)
    runs = np.flatnonzero(wanted.usable.any(axis=1))
    wanted = wanted.subset(runs, wanted.gpus)
    share = finish_time(wanted)
    assert_feasible(wanted, share)
    worst = float(finish_ratio(wanted, rate_of(wanted, share)).max())
    assert can_be_met(wanted, worst * 1.001)
    assert not can_be_met(wanted, worst * 0.999)


def test_an_equal_part_has_a_ratio_of_one() -> None:
    wanted = random_demand(1)
    fresh = wanted._replace(age_s=np.zeros(len(wanted.gang)), isolated_s=np.zeros(len(wanted.gang)))
    runs = fresh.usable.any(axis=1)
    assert finish_ratio(fresh, fresh.equal_rate())[runs] == pytest.approx(1.0)


def test_who_has_waited_longest_for_its_length_gets_most() -> None:
    """Two jobs of one GPU, 1000 s each, one of them has waited 1000 s for nothing: solve both ratios for x + y = 1."""
    wanted = demand([1, 1], [[1.0], [1.0]], [1], age_s=[1000.0, 0.0])
    first, second = finish_time(wanted)[:, 0]
    assert first + second == pytest.approx(1.0, abs=1e-5)
    assert (1000 + 1000 / first) / 2000 == pytest.approx((1000 / second) / 2000, rel=1e-3)
    assert first == pytest.approx((3 - 5**0.5) / -2 + 1, rel=1e-3)  # the golden section


def test_who_can_run_nowhere_gets_nothing() -> None:
    assert finish_time(demand([1, 8], [[1.0], [1.0]], [4]))[:, 0] == pytest.approx([1.0, 0.0], abs=1e-6)
    assert finish_time(demand([8], [[1.0]], [4])).tolist() == [[0.0]]
