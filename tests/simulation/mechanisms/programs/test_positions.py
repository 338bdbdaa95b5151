"""Queues by matching have the least sum of completion times that any queues can have."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from simulation.mechanisms.programs.positions import Slots, match, sum_of_completions_s
from simulation.records import Floats


def slots(kind: list[int], ready_s: list[float] | None = None) -> Slots:
    return Slots(np.array(kind), np.array(ready_s or [0.0] * len(kind)))


def brute_force_s(time_s: Floats, places: Slots) -> float:
    """Over every choice of a slot for each job, and every order of each queue."""
    best = np.inf
    for choice in product(range(len(places.kind)), repeat=len(time_s)):
        total = 0.0
        for slot, ready_s in enumerate(places.ready_s.tolist()):
            queue = [job for job, chosen in enumerate(choice) if chosen == slot]
            run_s = [time_s[job, places.kind[slot]] for job in queue]
            total += min(float((ready_s + np.cumsum(order)).sum()) for order in permutations(run_s))
        best = min(best, total)
    return best


@pytest.mark.parametrize("seed", range(15))
def test_no_queues_have_a_smaller_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 4))
    kinds = np.sort(rng.integers(0, 3, count)).tolist()
    ready_s = (rng.uniform(0, 50, count) * (rng.random(count) < 0.5)).tolist()
    time_s = rng.lognormal(3.0, 1.0, (int(rng.integers(1, 6)), 3))
    time_s[:, 0][rng.random(len(time_s)) < 0.3] = np.inf
    if not np.isfinite(time_s[:, kinds]).any(axis=1).all():
        time_s[:, 0] = 30.0
    places = slots(kinds, ready_s)
    found = match(time_s, places)
    assert (found.slot >= 0).all()
    assert sum_of_completions_s(time_s, places, found) == pytest.approx(brute_force_s(time_s, places))


def test_on_one_slot_the_order_is_shortest_first() -> None:
    time_s = np.random.default_rng(0).lognormal(3, 1, (12, 1))
    found = match(time_s, slots([0]))
    assert np.argsort(-found.position).tolist() == np.argsort(time_s[:, 0]).tolist()
    assert found.heads().tolist() == [int(np.argmin(time_s))]


def test_who_gains_most_is_on_the_fast_slot_even_if_it_has_to_wait() -> None:
    """100 s or 10 s, and 30 s or 20 s; the fast slot is free in 15 s."""
    time_s = np.array([[100.0, 10.0], [30.0, 20.0]])
    found = match(time_s, slots([0, 1], [0.0, 15.0]))
    assert found.slot.tolist() == [1, 0]


def test_a_job_that_no_slot_can_run_has_none() -> None:
    found = match(np.array([[np.inf, 1.0], [5.0, np.inf]]), slots([0]))
    assert (found.slot.tolist(), found.position.tolist(), found.heads().tolist()) == ([-1, 0], [-1, 1], [1])


@pytest.mark.parametrize("jobs", [1, 5, 12])
def test_queues_of_equal_slots_are_of_equal_length(jobs: int) -> None:
    time_s = np.random.default_rng(jobs).lognormal(3, 1, (jobs, 1))
    lengths = np.bincount(match(time_s, slots([0] * 5)).slot, minlength=5)
    assert np.ptp(lengths) <= 1
