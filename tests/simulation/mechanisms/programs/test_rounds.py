"""Rounds keep promises: in the long run jobs run for the share of the time that they were promised."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.max_min import max_min
from simulation.mechanisms.programs.rounds import Promises, charge, make_promises, priority
from simulation.records import Floats, Ints
from tests.simulation.mechanisms.programs.demands import demand, random_demand

ROUND_S = 360.0


def promised(share: Floats) -> tuple[Promises, Ints]:
    live = np.arange(len(share))
    books = make_promises(len(share), share.shape[1], credit_s=ROUND_S / 2)
    books.admit(live)
    books.settle(live, 0.0)
    books.renew(live, share)
    return books, live


def run(books: Promises, live: Ints, gang: Ints, gpus: Ints, rounds: int) -> Floats:
    """Share of the time that each job spent on each type."""
    may = np.ones((len(live), len(gpus)), np.bool_)
    spent = np.zeros(may.shape)
    for _ in range(rounds):
        kinds = books.choose(live, gang, may, range(len(gpus) - 1, -1, -1), gpus)
        assert (np.bincount(kinds[kinds >= 0], gang[kinds >= 0], len(gpus)) <= gpus).all()
        for job in np.flatnonzero(kinds >= 0).tolist():
            charge(books, job, int(kinds[job]), ROUND_S)
            spent[job, kinds[job]] += 1 / rounds
    return spent


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_time_received_is_time_promised(seed: int) -> None:
    wanted = random_demand(seed, jobs=24, types=3, most_gpus=8)
    wanted = wanted._replace(gang=np.ones(24), rate=wanted.rate + 0.3)
    share = max_min(wanted)
    books, live = promised(share)
    spent = run(books, live, np.ones(24, np.int64), wanted.gpus, 400)
    assert np.abs(spent - share).max() < 0.08  # what is left over goes to whoever fits
    assert np.abs(spent - share).mean() < 0.01


def test_a_job_that_was_promised_more_is_served_more_often() -> None:
    books, live = promised(np.array([[0.6], [0.3], [0.1]]))
    spent = run(books, live, np.ones(3, np.int64), np.array([1]), 200)
    assert spent[:, 0] == pytest.approx([0.6, 0.3, 0.1], abs=0.01)


def test_what_was_promised_and_not_received_is_owed_at_the_next_renewal() -> None:
    books, live = promised(np.array([[0.5], [0.5]]))
    charge(books, 0, 0, 1000.0)
    books.settle(live, 1000.0)
    assert books.deficit_s[:, 0].tolist() == [-500.0, 500.0]
    assert books.choose(live, np.ones(2, np.int64), np.ones((2, 1), np.bool_), [0], np.array([1])).tolist() == [-1, 0]


def test_without_a_promise_nobody_is_in_front() -> None:
    books = make_promises(2, 1, credit_s=180.0)
    books.admit(np.array([0, 1]))
    assert [priority(books, job, 0) for job in range(2)] == [0.0, 0.0]


def test_gangs_that_do_not_fit_are_passed_over() -> None:
    books, live = promised(np.array([[0.9], [0.6], [0.3]]))
    kinds = books.choose(live, np.array([4, 3, 1]), np.ones((3, 1), np.bool_), [0], np.array([3]))
    assert kinds.tolist() == [-1, 0, -1]
    assert books.choose(live, np.array([4, 2, 1]), np.ones((3, 1), np.bool_), [0], np.array([3])).tolist() == [-1, 0, 0]


def test_max_min_of_equal_jobs_takes_turns() -> None:
    share = max_min(demand([2, 2, 2], [[1.0]] * 3, [4]))
    books, live = promised(share)
    spent = run(books, live, np.array([2, 2, 2]), np.array([4]), 300)
    assert spent[:, 0] == pytest.approx([2 / 3] * 3, abs=0.01)
