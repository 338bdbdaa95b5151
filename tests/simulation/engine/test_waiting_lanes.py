"""Whoever is first in the order is the head of his lane, whatever form the lane has and whoever comes back to it."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.lanes import Lanes, enter, first_of, leave, make_lanes
from simulation.engine.kernels.order import ATTAINED, FIXED, Order
from simulation.engine.kernels.walk import STOP_AT_HEAD
from simulation.engine.state import make_state
from simulation.scenario import Overheads
from simulation.world.build import build_world
from tests.simulation.building import random_jobs, training

JOBS = 40
NO_LIMIT = np.full(1, np.inf)


@kernel
def come(q: Lanes, job: int, key: float) -> None:
    enter(q, job, key, 0.0)


@kernel
def go(q: Lanes) -> int:
    job = first_of(q, 0)
    leave(q, 0)
    return job


def lane(values: np.ndarray, op: int, returns: bool) -> Lanes:
    ledger = make_state(build_world(training(random_jobs(3, JOBS)), 0), Overheads())
    return make_lanes(ledger, STOP_AT_HEAD, NO_LIMIT, Order(op, values, np.zeros(0)), returns)


@pytest.mark.parametrize(
    ("op", "returns", "line"), [(FIXED, False, True), (FIXED, True, False), (ATTAINED, True, False)]
)
@pytest.mark.parametrize("seed", range(8))
def test_the_head_is_the_first_of_those_who_wait(op, returns, line, seed):
    rng = np.random.default_rng(seed)
    values = np.arange(JOBS) // 3 * 1.0  # ascending, with ties
    q, present, gone, next_job = lane(values, op, returns), set[int](), set[int](), 0
    assert q.in_turn is line
    for _ in range(6 * JOBS):
        act = rng.integers(3)
        if act == 0 and next_job < JOBS:
            come(q, next_job, values[next_job])
            present.add(next_job)
            next_job += 1
        elif act == 1 and present:
            first = min(present, key=lambda job: (values[job], job))
            assert go(q) == first
            present.discard(first)
            gone.add(first)
        elif act == 2 and gone:
            back = int(rng.choice(sorted(gone)))
            come(q, back, values[back])
            gone.discard(back)
            present.add(back)
        assert q.filled[0] == len(present)


def test_jobs_in_another_order_than_they_came_wait_in_a_heap():
    assert lane(np.arange(JOBS)[::-1].astype(float), FIXED, False).in_turn is False
