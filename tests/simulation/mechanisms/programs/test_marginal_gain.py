"""GPUs one by one to the largest gain: smallest gangs first, an end where nobody gains, the best where gains fall."""

from __future__ import annotations

from itertools import product

import numpy as np

from simulation.mechanisms.programs.marginal import by_marginal_gain
from simulation.records import Floats


def left(work_s: list[float], speed: list[list[float]]) -> Floats:
    """Minus the time left, by jobs and GPUs; none without GPUs."""
    value = np.full((len(work_s), len(speed[0]) + 1), -np.inf)
    value[:, 1:] = -np.array(work_s)[:, None] / np.array(speed)
    return value


def given(value: Floats, gpus: int, low: int = 1, factor: list[float] | None = None) -> list[int]:
    jobs, counts = value.shape
    damping = np.ones(jobs) if factor is None else np.array(factor)
    return by_marginal_gain(value, np.full(jobs, low), np.full(jobs, counts - 1), gpus, damping).tolist()


def test_the_longer_job_of_the_same_speed_gets_more() -> None:
    """300 and 100 s: gains of the next GPU are 150, 50; then 50, 50: the first of two equal ones."""
    speed = [[1.0, 2.0, 3.0, 4.0]] * 2
    assert given(left([300.0, 100.0], speed), 3) == [2, 1]
    assert given(left([300.0, 100.0], speed), 4) == [3, 1]
    assert given(left([300.0, 100.0], speed), 5) == [3, 2]


def test_a_job_that_is_no_faster_with_more_never_gets_more_though_gpus_idle() -> None:
    assert given(left([1000.0], [[1.0, 1.8, 1.8, 1.7]]), 8) == [2]


def test_smallest_gangs_come_first_in_order_of_arrival() -> None:
    assert given(left([1.0, 1000.0, 1000.0], [[1.0, 2.0]] * 3), 2) == [1, 1, 0]
    assert given(left([1.0, 1000.0], [[1.0, 2.0, 3.0, 4.0]] * 2), 3, low=2) == [3, 0]


def test_a_gang_wider_than_all_there_is_waits() -> None:
    value = left([100.0, 100.0], [[1.0, 2.0]] * 2)
    assert by_marginal_gain(value, np.array([4, 1]), np.array([4, 2]), 2, np.ones(2)).tolist() == [0, 2]


def test_gains_can_be_damped() -> None:
    value = left([100.0, 101.0], [[1.0, 2.0]] * 2)
    assert given(value, 3) == [1, 2]
    assert given(value, 3, factor=[1.0, 0.95]) == [2, 1]


def test_a_job_that_cannot_run_here_gets_nothing() -> None:
    value = left([100.0, 100.0], [[1.0, 2.0]] * 2)
    value[0] = -np.inf
    assert given(value, 3) == [0, 2]


def test_no_other_distribution_is_worth_more_where_gains_fall() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        value = left(rng.lognormal(5, 1, 3).tolist(), (np.arange(1, 6) ** rng.uniform(0.2, 1.0, (3, 1))).tolist())
        best = max(
            sum(float(value[job, n]) for job, n in enumerate(split))
            for split in product(range(1, 6), repeat=3)
            if sum(split) <= 7
        )
        assert np.isclose(sum(float(value[job, n]) for job, n in enumerate(given(value, 7))), best)
