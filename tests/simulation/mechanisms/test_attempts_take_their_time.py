"""Attempts, pauses and what a gang insists on, instant by instant."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.attempts import Attempts, Relaxation
from simulation.mechanisms.locality import Locality

RULE = Relaxation(give_up_nodes=2, give_up_rack=3, gather_s=150.0, backoff_s=120.0)
BOTH = np.array([0, 1])


def test_locality_is_given_up_attempt_by_attempt() -> None:
    attempts = Attempts(2, RULE)
    attempts.begin(np.array([0]), 1000.0)
    seen, now_s = [], 1000.0
    while attempts.failed[0] < 4:
        seen.append((now_s, bool(attempts.gathers(BOTH)[0]), attempts.locality(0)))
        now_s = attempts.next_s(BOTH)
        attempts.advance(BOTH, now_s)
    nodes, rack, anywhere = Locality
    assert seen == [
        (1000.0, True, nodes),
        (1150.0, False, nodes),
        (1270.0, True, nodes),
        (1420.0, False, rack),
        (1540.0, True, rack),
        (1690.0, False, anywhere),
        (1810.0, True, anywhere),
    ]


def test_a_job_that_waits_again_begins_anew() -> None:
    attempts = Attempts(1, RULE)
    attempts.begin(np.array([0]), 0.0)
    attempts.advance(np.array([0]), 150.0)
    assert attempts.failed[0] == 1
    attempts.begin(np.array([0]), 500.0)
    assert (attempts.failed[0], attempts.next_s(np.array([0]))) == (0, 650.0)


def test_only_those_that_are_due_and_wait_move() -> None:
    attempts = Attempts(2, RULE)
    attempts.begin(np.array([0]), 0.0)
    attempts.begin(np.array([1]), 100.0)
    attempts.advance(np.array([1]), 200.0)
    assert attempts.gathers(BOTH).tolist() == [True, True]
    attempts.advance(BOTH, 200.0)
    assert attempts.gathers(BOTH).tolist() == [False, True]
    assert attempts.next_s(np.array([], np.int64)) == np.inf
