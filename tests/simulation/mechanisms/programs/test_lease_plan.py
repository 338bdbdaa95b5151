"""Plans in leases, against all plans of small cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simulation.mechanisms.programs.lease_plan import (
    Promises,
    earliest_deadline,
    feasible_plan,
    latest_fit,
    plan_leases,
    planning_gpus,
)

NODES = 200


def promises(*rows: tuple[int, int, int]) -> Promises:
    """(gpus, needs, due) a job."""
    return Promises(*np.array(rows, np.int64).reshape(-1, 3).T)


def drawn(seed: int) -> tuple[Promises, int]:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(int(rng.integers(2, 5))):
        due = int(rng.integers(1, 5))
        rows.append((int(rng.choice([1, 2, 4])), int(rng.integers(1, due + 1)), due))
    return promises(*rows), int(rng.integers(4, 7))


def first_leases(given: Promises, capacity: int) -> list[int]:
    """GPUs in the next lease of every plan that keeps all promises."""
    found = []
    choices = [itertools.combinations(range(d), n) for n, d in zip(given.needs, given.due, strict=True)]
    for plan in itertools.product(*choices):
        used = np.zeros(int(given.due.max()), int)
        for gpus, leases in zip(given.gpus, plan, strict=True):
            used[list(leases)] += gpus
        if (used <= capacity).all():
            found.append(int(used[0]))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_a_plan_is_found_exactly_where_there_is_one(seed: int) -> None:
    given, capacity = drawn(seed)
    plan = feasible_plan(given, capacity, NODES)
    assert (plan is not None) == bool(first_leases(given, capacity))
    if plan is not None:
        assert (plan.sum(axis=1) == given.needs).all()
        assert ((given.gpus[:, None] * plan).sum(axis=0) <= capacity).all()
        assert not (plan & (np.arange(plan.shape[1]) >= given.due[:, None])).any()


@pytest.mark.parametrize("seed", range(40))
def test_the_next_lease_is_as_full_or_as_empty_as_any_plan_makes_it(seed: int) -> None:
    given, capacity = drawn(seed)
    possible = first_leases(given, capacity)
    for use_much, best in ((True, max), (False, min)):
        plan = plan_leases(given, capacity, use_much, NODES)
        assert (None if plan is None else int(given.gpus[plan[:, 0]].sum())) == (best(possible) if possible else None)


def test_the_integer_program_finds_what_the_greedy_misses() -> None:
    """The two first jobs take the last lease of their own, so that the third finds none with room for it."""
    missed = [given for seed in range(400) for given, c in [drawn(seed)] if c == 4 and latest_fit(given, c) is None]
    found = [given for given in missed if feasible_plan(given, 4, NODES) is not None]
    assert 0 < len(found) < len(missed)


def test_latest_fit_leaves_the_next_lease_empty_where_that_is_safe() -> None:
    plan = latest_fit(promises((4, 2, 5), (4, 1, 3)), 4)
    assert plan is not None
    assert plan.astype(int).tolist() == [[0, 0, 0, 1, 1], [0, 0, 1, 0, 0]]


def test_the_earliest_deadline_that_fits() -> None:
    given = promises((4, 2, 2), (4, 1, 1))
    assert feasible_plan(given, 4, NODES) is None
    assert earliest_deadline(given, 1, 10, 4, NODES) == 3
    assert earliest_deadline(given, 1, 2, 4, NODES) is None


def test_what_can_never_be_kept_is_refused_at_once() -> None:
    assert feasible_plan(promises((2, 3, 2)), 4, NODES) is None
    assert feasible_plan(promises((8, 1, 2)), 4, NODES) is None


def test_no_promises_are_kept_by_an_empty_plan() -> None:
    plan = plan_leases(promises(), 4, True, NODES)
    assert plan is not None
    assert plan.shape == (0, 0)


def test_planned_sizes_tile_a_node() -> None:
    assert [planning_gpus(g, 8) for g in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16)] == [1, 2, 4, 4, 8, 8, 8, 8, 16, 16]
    assert planning_gpus(5, 6) == 6
