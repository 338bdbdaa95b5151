"""Makespan: the last job ends as early as is possible."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.linear import LinearProgram
from simulation.mechanisms.programs.makespan import makespan
from tests.simulation.mechanisms.programs.demands import assert_feasible, by_simplex, demand, random_demand, rate_of


def test_equal_types_are_filled_to_the_end() -> None:
    """Work of 7 GPUs x 1000 s on 4 GPUs: nobody can end before 1750 s, and all do then."""
    wanted = demand([1, 2, 4], [[1.0]] * 3, [4])
    assert wanted.left_s / rate_of(wanted, makespan(wanted)) == pytest.approx([1750.0] * 3, rel=1e-5)


def test_nobody_ends_before_its_own_length() -> None:
    wanted = demand([1, 1, 1], [[1.0]] * 3, [8], left_s=[100.0, 200.0, 9000.0])
    assert makespan(wanted)[2, 0] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_it_is_that_of_the_simplex_method(seed: int) -> None:
    wanted = random_demand(seed)
    wanted = wanted.subset(np.flatnonzero(wanted.usable.any(axis=1)), wanted.gpus)
    share = makespan(wanted)
    assert_feasible(wanted, share)
    worth = np.where(wanted.usable, wanted.rate, 0.0)
    unit_s = float(wanted.left_s.max())
    lp = LinearProgram(
        np.zeros(worth.shape), worth, np.zeros(len(worth)), wanted.left_s / unit_s, wanted.gang, wanted.gpus * 1.0
    )
    progress = by_simplex(lp)
    assert progress is not None
    rate = rate_of(wanted, share) + 1e-6 * wanted.rate.max(axis=1)  # shares have six decimals
    assert (wanted.left_s / rate).max() <= unit_s / progress * (1 + 1e-4)


def test_nothing_to_do_takes_no_time() -> None:
    assert makespan(demand([], [], [4])).shape == (0, 1)
    assert (makespan(demand([1], [[1.0]], [4], left_s=[0.0])) <= 1.0).all()
