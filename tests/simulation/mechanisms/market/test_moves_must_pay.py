"""Choice of instances against costs written out: what is cheapest for the work, and moves that pay for themselves."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.market.instances import Move, Reclaims, best_instance, work_for_money

# prices of a GPU in early 2020 (K80, P100, V100); speeds of a model that gains little and of one that gains much
USD_PER_H = np.array([0.52, 1.68, 2.85])
LITTLE, MUCH = np.array([1.0, 1.8, 2.5]), np.array([1.0, 4.0, 10.0])
ALL = np.ones(3, np.bool_)


def test_a_model_that_gains_little_takes_the_old_type_and_one_that_gains_much_the_new() -> None:
    assert best_instance(work_for_money(LITTLE, USD_PER_H), ALL) == 0
    assert best_instance(work_for_money(MUCH, USD_PER_H), ALL) == 2


def test_worth_is_work_for_a_dollar() -> None:
    assert work_for_money(np.array([2.0]), np.array([0.5])).tolist() == [2 * 3600 / 0.5]
    assert work_for_money(np.array([1.0, 0.0]), np.zeros(2)).tolist() == [np.inf, 0.0]


def test_what_is_not_allowed_or_does_no_work_is_not_chosen() -> None:
    worth = work_for_money(LITTLE, USD_PER_H)
    assert best_instance(worth, np.array([False, True, True])) == 1
    assert best_instance(worth, np.zeros(3, np.bool_)) is None
    assert best_instance(np.zeros(2), np.ones(2, np.bool_)) is None
    assert best_instance(np.zeros(0), np.zeros(0, np.bool_)) is None


@pytest.mark.parametrize(("work_h", "usd", "pays"), [(100, 9.0, True), (100, 60.0, False), (1, 9.0, False)])
def test_a_move_pays_for_itself_or_is_not_made(work_h: float, usd: float, pays: bool) -> None:
    """From 1 dollar an hour to half a dollar at equal speed: 100 hours save 50 dollars, one hour half a dollar."""
    now, then = work_for_money(np.ones(2), np.array([1.0, 0.5])).tolist()
    assert Move(time_s=300.0, usd=usd).pays(work_h * 3600.0, now, then, 0.5) is pays


def test_at_equal_worth_nobody_moves_even_for_nothing() -> None:
    assert not Move(0.0, 0.0).pays(1e6, 5.0, 5.0, 1.0)


def test_the_time_of_a_move_is_billed() -> None:
    now, then = work_for_money(np.ones(2), np.array([1.0, 0.5])).tolist()
    assert Move(3600.0, 0.0).pays(1.1 * 3600, now, then, 0.5)  # saves 0.55, costs 0.50
    assert not Move(3600.0, 0.0).pays(0.9 * 3600, now, then, 0.5)  # saves 0.45


def test_where_nothing_can_be_done_any_instance_is_worth_a_move() -> None:
    assert Move(300.0, 9.0).pays(3600.0, 0.0, 10.0, 1.0)
    assert Move(300.0, 0.5).pays(3600.0, 3600.0, np.inf, 0.0)


def test_reclaims_of_a_day_are_forgotten_the_next() -> None:
    reclaims = Reclaims(most=3)
    for hour in (1, 2, 3):
        assert reclaims.may_use_spot(7, hour * 3600.0)
        reclaims.happened(7, hour * 3600.0)
    assert not reclaims.may_use_spot(7, 86_399.0)
    assert reclaims.may_use_spot(8, 86_399.0)
    assert reclaims.may_use_spot(7, 86_400.0)
