"""Minimum satisfactory shares: jobs meet their deadlines, with as few GPUs as that takes."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.deadline_share import (
    Demands,
    Shares,
    join,
    kept_shares,
    minimum_shares,
    slot_edges,
    slots_alike,
    top_up,
    work_of,
)

COUNTS = np.array([1, 2, 4, 8])
CONCAVE = np.array([1.0, 1.8, 3.0, 4.4])
LINEAR = np.array([1.0, 2.0, 4.0, 8.0])


def demands(
    *jobs: tuple[float, float], rate: np.ndarray = CONCAVE, slot_s: float = 10.0, now_s: float = 0.0
) -> Demands:
    """Jobs as (work, due_s), by deadline."""
    work, due_s = np.array(jobs).T
    n = len(jobs)
    horizon_s = now_s + max(float(d) for d in due_s if np.isfinite(d)) if np.isfinite(due_s).any() else now_s + slot_s
    return Demands(
        work, due_s, np.tile(rate, (n, 1)), np.tile(COUNTS, (n, 1)),
        slot_edges(now_s, slot_s, horizon_s),
    )  # fmt: skip


def drawn(seed: int, jobs: int = 8) -> Demands:
    rng = np.random.default_rng(seed)
    due_s = np.sort(rng.uniform(50.0, 400.0, jobs))
    return demands(*zip(rng.uniform(0.1, 3.5, jobs) * due_s / 4, due_s, strict=True), now_s=float(rng.uniform(0, 10)))


def ends_s(given: Demands, job: int, row: np.ndarray) -> float:
    """When a job that follows its plan is done; inf if never."""
    left = given.work[job]
    for slot, gpus in enumerate(row.tolist()):
        if gpus:
            rate = given.rate[job, int(np.searchsorted(COUNTS, gpus))]
            length_s = given.edges_s[slot + 1] - given.edges_s[slot]
            if left <= rate * length_s * (1 + 1e-9):
                return float(given.edges_s[slot] + left / rate)
            left -= rate * length_s
    return np.inf


def gpu_s(given: Demands, row: np.ndarray) -> float:
    return float((row * np.diff(given.edges_s)).sum())


def test_slots_end_at_multiples_of_their_length() -> None:
    assert slot_edges(25.0, 10.0, 47.0).tolist() == [0.0, 5.0, 15.0, 25.0]
    assert slot_edges(30.0, 10.0, 30.0).tolist() == [0.0, 10.0]


@pytest.mark.parametrize("seed", range(25))
def test_whoever_is_feasible_ends_in_time_and_nothing_is_used_twice(seed: int) -> None:
    given = drawn(seed)
    shares = minimum_shares(given, 8)
    assert ((shares.plan.sum(axis=0) + shares.free) == 8).all()
    assert (shares.free >= 0).all()
    for job in range(len(given.work)):
        if shares.feasible[job]:
            assert ends_s(given, job, shares.plan[job]) <= given.due_s[job] * (1 + 1e-9)
        else:
            assert not shares.plan[job].any()


@pytest.mark.parametrize("seed", range(25))
def test_alone_a_job_is_feasible_exactly_if_the_highest_count_would_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    due_s = float(rng.uniform(20.0, 200.0))
    for share in (0.999, 1.001):
        assert minimum_shares(demands((CONCAVE[3] * due_s * share, due_s)), 8).feasible[0] == (share < 1)
        assert minimum_shares(demands((CONCAVE[2] * due_s * share, due_s)), 7).feasible[0] == (share < 1)


@pytest.mark.parametrize("seed", range(25))
def test_no_constant_count_that_is_in_time_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    given = demands((float(rng.uniform(50.0, 400.0)), 100.0))
    plan = minimum_shares(given, 8).plan[0]
    constant = [
        count * given.work[0] / rate for count, rate in zip(COUNTS, CONCAVE, strict=True) if rate * 100 >= given.work[0]
    ]
    assert gpu_s(given, plan) <= min(constant) + 10.0 * plan.max()  # planned in whole slots


def test_the_lower_count_comes_first() -> None:
    """125 units in 100 s: seven slots of two GPUs from the end do; before them one GPU, and the last slot is spared."""
    assert minimum_shares(demands((125.0, 100.0)), 8).plan[0].tolist() == [1, 1, 1, 2, 2, 2, 2, 2, 2, 0]


def test_a_job_with_time_to_spare_need_not_start_yet() -> None:
    assert minimum_shares(demands((35.0, 60.0)), 8).plan[0].tolist() == [0, 0, 1, 1, 1, 1]


def test_slots_that_others_have_taken_are_filled_with_what_is_left() -> None:
    shares = minimum_shares(demands((300.0, 100.0), (180.0, 100.0)), 6)
    assert shares.plan.tolist() == [[4] * 10, [2] * 10]
    assert not minimum_shares(demands((300.0, 100.0), (181.0, 100.0)), 6).feasible[1]


def test_a_newcomer_joins_only_if_the_rest_of_the_plan_lets_it() -> None:
    given = demands((300.0, 100.0), (100.0, 100.0), (200.0, 100.0))
    first = given._replace(due_s=np.array([100.0, np.inf, np.inf]))
    shares = minimum_shares(first, 5)
    assert join(given, shares, 1)
    before = shares.plan.copy()
    assert not join(given, shares, 2)
    assert (shares.plan == before).all()
    assert (shares.free == 0).all()


def test_a_plan_is_kept_while_it_leads_to_the_deadline() -> None:
    given = demands((125.0, 100.0), (60.0, 100.0))
    rows = minimum_shares(given, 8).plan
    assert work_of(given, 0, rows[0]) >= 125.0
    assert kept_shares(given, rows, 8).plan.tolist() == rows.tolist()
    more = given._replace(work=np.array([140.0, 60.0]))
    assert kept_shares(more, rows, 8).feasible.tolist() == [False, True]
    assert kept_shares(given, rows, 2).feasible.tolist() == [True, False]  # GPUs have gone


def test_spare_gpus_go_to_whoever_wastes_least_by_them() -> None:
    """With linear scaling a GPU more costs nothing, with poor scaling it does."""
    rates = np.array([[1.0, 1.1, 1.2, 1.3], LINEAR])
    given = demands((100.0, 200.0), (100.0, 200.0))._replace(rate=rates)
    shares = minimum_shares(given, 8)
    assert not shares.plan[:, 0].any()
    assert top_up(given, shares, 5, np.ones(2, np.bool_)).tolist() == [1, 4]


def test_who_would_hold_nothing_comes_first() -> None:
    given = demands((195.0, 200.0), (100.0, np.inf), (100.0, np.inf))
    shares = minimum_shares(given, 4)
    assert top_up(given, shares, 1, np.ones(3, np.bool_)).tolist() == [1, 1, 0]
    assert top_up(given, shares, 2, np.ones(3, np.bool_)).tolist() == [1, 1, 1]
    assert top_up(given, shares, 3, np.ones(3, np.bool_)).tolist() == [1, 2, 1]  # the shorter job wastes less


def test_nobody_gets_what_is_not_there() -> None:
    for seed in range(10):
        given = drawn(seed)
        shares = minimum_shares(given, 8)
        spare = int(shares.free[0])
        now = top_up(given, shares, spare, np.ones(8, np.bool_))
        assert (now >= shares.plan[:, 0]).all()
        assert now.sum() <= 8


def test_a_plan_says_until_when_nothing_changes() -> None:
    shares = minimum_shares(demands((125.0, 100.0)), 8)
    assert slots_alike(shares) == 3
    assert slots_alike(Shares(np.array([[2, 2, 2, 4], [1, 1, 1, 1]]), shares.feasible, shares.free)) == 3
    assert slots_alike(Shares(np.array([[2, 2]]), shares.feasible, shares.free)) == 2


def test_following_its_plan_a_feasible_set_stays_feasible() -> None:
    """After each slot the rest is planned again, for less work and nearer deadlines."""
    for seed in range(15):
        given = drawn(seed, jobs=6)
        shares = minimum_shares(given, 8)
        keep = shares.feasible.copy()
        while keep.any() and len(given.edges_s) > 2:
            length_s = given.edges_s[1]
            rates = np.array(
                [given.rate[job, np.searchsorted(COUNTS, c)] if c else 0 for job, c in enumerate(shares.plan[:, 0])]
            )
            work = np.maximum(0.0, given.work - rates * length_s)
            keep &= work > 1e-9
            given = given._replace(work=work, due_s=given.due_s - length_s, edges_s=given.edges_s[1:] - length_s)
            shares = minimum_shares(given._replace(due_s=np.where(keep, given.due_s, np.inf)), 8)
            assert shares.feasible[keep].all()
