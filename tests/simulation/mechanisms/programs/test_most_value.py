"""Most work in all, or for the money: as a simplex method finds, deadlines first where they can be met."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.linear import LinearProgram
from simulation.mechanisms.programs.most_value import total_throughput, work_for_money
from tests.simulation.mechanisms.programs.demands import assert_feasible, by_simplex, demand, random_demand, rate_of


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("priced", [False, True])
def test_the_sum_is_that_of_the_simplex_method(seed: int, priced: bool) -> None:
    wanted = random_demand(seed)
    share = (work_for_money if priced else total_throughput)(wanted)
    assert_feasible(wanted, share)
    value = np.where(wanted.usable, wanted.rate * wanted.gang[:, None], 0.0) / (wanted.price if priced else 1.0)
    jobs, free = len(value), np.zeros(len(value))
    best = by_simplex(LinearProgram(value, value, np.full(jobs, -1.0), free, wanted.gang, wanted.gpus * 1.0))
    assert (value * share).sum() == pytest.approx(best, rel=1e-4, abs=1e-4)


def test_a_dear_fast_type_is_left_to_who_makes_most_of_it() -> None:
    wanted = demand([1, 1], [[1.0, 1.5], [1.0, 4.0]], [1, 1], price=[1.0, 3.0])
    assert work_for_money(wanted) == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0]]), abs=1e-5)


def test_a_deadline_comes_before_the_sum() -> None:
    """The slow job needs half of the only GPU to be in time; without its deadline it would get nothing."""
    rates = [[1.0], [4.0]]
    free = work_for_money(demand([1, 1], rates, [1]))
    assert free[:, 0] == pytest.approx([0.0, 1.0], abs=1e-5)
    held = work_for_money(demand([1, 1], rates, [1], due_s=[2000.0, np.inf]))
    assert held[:, 0] == pytest.approx([0.5, 0.5], abs=1e-5)


def test_deadlines_that_ask_for_nothing_or_cannot_all_be_met_do_not_count() -> None:
    wanted = demand([1, 1], [[1.0], [4.0]], [1], due_s=[1200.0, 300.0])
    assert rate_of(wanted, work_for_money(wanted)) == pytest.approx([0.0, 4.0], abs=1e-4)
    early = demand([1, 1], [[1.0], [4.0]], [1], left_s=[1e-3, 1e-3], due_s=[1e4, np.inf])
    assert work_for_money(early)[:, 0] == pytest.approx([0.0, 1.0], abs=1e-5)
    just_missed = demand([1, 1], [[1.0], [4.0]], [1], due_s=[1e-6, np.inf])
    assert work_for_money(just_missed)[:, 0] == pytest.approx([0.0, 1.0], abs=1e-5)
    late = demand([1, 1], [[1.0], [4.0]], [1], due_s=[-5.0, np.inf])
    assert work_for_money(late)[:, 0] == pytest.approx([0.0, 1.0], abs=1e-5)
