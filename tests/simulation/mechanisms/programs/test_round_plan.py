"""A plan for many rounds is the best that there is, and no round has more GPUs than the cluster."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from simulation.mechanisms.programs.round_plan import (
    Asks,
    Effort,
    Window,
    in_order,
    laid_out,
    objective,
    plan_rounds,
    rounds_needed,
    utility,
)

EXACT = Effort(gap=0.0, nodes=100_000)


def drawn(seed: int) -> tuple[Asks, Window]:
    rng = np.random.default_rng(seed)
    jobs, rounds, gpus = int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(2, 6))
    left_s = rng.uniform(10.0, 500.0, jobs)
    done = rng.uniform(0.0, 0.9, jobs)
    asks = Asks(
        gang=rng.integers(1, gpus + 1, jobs),
        done=done,
        gain=(1 - done) * 100.0 / left_s,
        left_s=left_s,
        least=(rng.random(jobs) < 0.2).astype(np.int64),
        weight=rng.choice([1.0, 5.0], jobs),
    )
    return asks, Window(gpus, rounds, 100.0, float(rng.choice([0.0, 1e-4, 1e-2])))


def brute_force(asks: Asks, window: Window) -> float | None:
    """The best objective over all plans within the GPUs of each round; None where there is none."""
    best = None
    rows = list(product([0, 1], repeat=window.rounds))
    for choice in product(rows, repeat=len(asks.gang)):
        plan = np.array(choice)
        counts = plan.sum(axis=1)
        if (asks.gang @ plan <= window.gpus).all() and (counts >= asks.least).all():
            worth = objective(asks, window, counts)
            best = worth if best is None else max(best, worth)
    return best


@pytest.mark.parametrize("seed", range(30))
def test_no_plan_is_better(seed: int) -> None:
    asks, window = drawn(seed)
    plan, best = plan_rounds(asks, window, EXACT), brute_force(asks, window)
    assert (plan is None) == (best is None)
    if plan is None or best is None:
        return
    assert (asks.gang @ plan <= window.gpus).all()
    assert (plan.sum(axis=1) >= asks.least).all()
    assert objective(asks, window, plan.sum(axis=1)) == pytest.approx(best, abs=1e-7)


def test_wide_gangs_that_do_not_go_together_are_planned_one_by_one() -> None:
    """Their GPU-rounds alone would fit: the whole matrix has to be solved for."""
    asks = Asks(
        gang=np.array([3, 3, 3]), done=np.zeros(3), gain=np.full(3, 0.3), left_s=np.full(3, 500.0),
        least=np.ones(3, np.int64), weight=np.ones(3),
    )  # fmt: skip
    window = Window(4, 3, 100.0, 0.001)
    assert laid_out(asks.gang, np.array([2, 1, 1]), window) is None
    plan = plan_rounds(asks, window, EXACT)
    assert plan is not None
    assert plan.sum(axis=0).tolist() == plan.sum(axis=1).tolist() == [1, 1, 1]


def test_without_a_price_for_time_left_who_has_least_progress_comes_first_and_with_it_the_longest() -> None:
    asks = Asks(
        gang=np.array([1, 1]), done=np.array([0.1, 0.5]), gain=np.array([0.05, 0.01]), left_s=np.array([900.0, 5000.0]),
        least=np.zeros(2, np.int64), weight=np.ones(2),
    )  # fmt: skip
    counts = [plan.sum(axis=1).tolist() for price in (0.0, 1.0)
              if (plan := plan_rounds(asks, Window(1, 2, 100.0, price), EXACT)) is not None]  # fmt: skip
    assert counts == [[2, 0], [0, 2]]


def test_a_plan_of_many_jobs_keeps_within_its_gpus() -> None:
    rng = np.random.default_rng(1)
    left_s = rng.lognormal(8.0, 1.0, 30)
    asks = Asks(
        gang=rng.choice([1, 2, 4, 8], 30), done=rng.random(30) * 0.9, gain=120.0 / left_s, left_s=left_s,
        least=np.zeros(30, np.int64), weight=np.ones(30),
    )  # fmt: skip
    plan = plan_rounds(asks, Window(16, 20, 120.0, 0.001), Effort(0.001, 200))
    assert plan is not None
    used = asks.gang @ plan
    assert used.max() <= 16
    assert used.mean() > 14


def test_rounds_of_heavy_and_short_plans_come_first() -> None:
    plan = np.array([[True, False, True], [False, True, False]])
    assert in_order(plan, np.array([1.0, 1.0])).tolist() == [[False, True, True], [True, False, False]]
    assert in_order(plan, np.array([9.0, 1.0])).tolist() == [[True, True, False], [False, False, True]]


def test_rounds_that_a_fair_finish_needs() -> None:
    """1,000 s are left, and after the window 400 s at half the GPUs: 800 s are to be done in rounds of 120 s."""
    assert rounds_needed(1000.0, 400.0, 0.5, 120.0) == 7
    assert rounds_needed(100.0, 400.0, 0.5, 120.0) == 0


def test_utility_is_the_logarithm_at_its_knots_and_concave() -> None:
    knots = np.array([0.2, 0.4, 0.6, 0.8, 1.0])
    assert utility(knots) == pytest.approx(np.log(knots))
    assert (np.diff(utility(np.linspace(0, 1, 50)), 2) <= 1e-12).all()
