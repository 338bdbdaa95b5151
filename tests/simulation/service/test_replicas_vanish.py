"""A replica that vanishes gives the requests that it was answering back to the head of the queue."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.engine.service import ServiceColumns, ServiceQueue
from simulation.records import RequestOutcome
from tests.simulation.service.queues import latencies, service


def queue(arrivals: list[float], replicas: int, **fields: Any) -> ServiceQueue:
    found = ServiceQueue(service(**fields), np.array(arrivals))
    found.set_replicas(0.0, replicas, 0.0)
    return found


def test_a_batch_that_was_cut_off_goes_before_those_who_came_later() -> None:
    q = queue([0.0, 0.0, 1.0, 1.0, 3.0], 2, alpha_s=10.0, batch_max=2)
    assert q.lose(5.0, [0]) == 2
    assert q.waiting == 3
    done = q.finish(100.0)
    assert (np.array([0.0, 0.0, 1.0, 1.0, 3.0]) + latencies(done)).tolist() == [21.0, 21.0, 11.0, 11.0, 31.0]
    assert done.queue_s.tolist() == [11.0, 11.0, 0.0, 0.0, 18.0]  # what was executed in vain is queue
    assert done.execute_s.tolist() == [10.0] * 5
    assert done.busy_s == 5.0 + 3 * 10.0


def test_a_batch_that_ends_with_its_replica_has_ended() -> None:
    q = queue([0.0], 1, alpha_s=10.0)
    assert q.lose(10.0, [0]) == 0
    assert q.finish(20.0).outcome.tolist() == [RequestOutcome.SERVED]


def test_an_idle_replica_takes_over_at_once_though_its_own_batch_was_not_full() -> None:
    q = queue([0.0, 0.0, 4.0], 2, alpha_s=10.0, batch_max=2, timeout_s=100.0)
    q.lose(5.0, [0])  # the third waits beside an idle replica, for a batch that is not full
    done = q.finish(200.0)
    assert (np.array([0.0, 0.0, 4.0]) + latencies(done)).tolist() == [15.0, 15.0, 114.0]
    assert done.batch_wait_s.tolist() == [0.0, 0.0, 104.0 - 15.0]


def test_a_retiring_replica_is_lost_with_its_batch_too() -> None:
    q = queue([0.0], 1, alpha_s=10.0)
    assert q.set_replicas(2.0, 0, 2.0)[0].at_s == 10.0
    assert q.lose(5.0, [0]) == 1
    q.set_replicas(6.0, 1, 8.0)
    done = q.finish(100.0)
    assert (done.queue_s[0], done.load_s[0], done.execute_s[0]) == (6.0, 2.0, 10.0)


def test_utilisation_counts_what_was_executed_in_vain() -> None:
    q = queue([0.0], 2, alpha_s=10.0)
    q.lose(5.0, [0])
    assert q.observed(10.0, 10.0).utilisation == (5.0 + 5.0) / (5.0 + 10.0)


changes = st.lists(st.tuples(st.floats(0.0, 100.0), st.integers(0, 3), st.booleans()), max_size=6)


def play(
    arrivals: list[float], shape: dict[str, Any], steps: list[tuple[float, int, bool]], cuts: list[float]
) -> ServiceColumns:
    """At each step so many replicas are asked for, or as many of those that stand vanish."""
    q, standing, asked = queue(sorted(arrivals), 1, **shape), [0], 1
    for at, n, vanish in sorted([*steps, *((cut, -1, False) for cut in cuts)], key=lambda step: step[0]):
        if n < 0:
            q.advance(at)
        elif vanish:
            q.lose(at, standing[:n])
            standing = standing[n:]
        else:
            gone = [release.slot for release in q.set_replicas(at, n, at + 3.0)]
            standing = [slot for slot in standing if slot not in gone]
            more = n - len(standing)
            standing, asked = standing + list(range(asked, asked + more)), asked + more
        assert q.replicas == len(standing)
    return q.finish(150.0)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.0, 100.0), min_size=1, max_size=25),
    st.fixed_dictionaries(
        {"batch_max": st.integers(1, 4), "timeout_s": st.sampled_from([None, 0.0, 7.0]), "alpha_s": st.floats(0.1, 9.0)}
    ),
    changes,
    st.lists(st.floats(0.0, 140.0), max_size=4),
)
def test_no_request_is_lost_and_looking_changes_nothing(arrivals, shape, steps, cuts) -> None:
    done = play(arrivals, shape, steps, [])
    served = done.outcome == RequestOutcome.SERVED
    assert len(done.outcome) == len(arrivals)
    assert set(done.outcome.tolist()) <= {RequestOutcome.SERVED, RequestOutcome.UNFINISHED}
    assert (np.sort(arrivals)[served] + latencies(done)[served] <= 150.0 + 1e-9).all()
    for part in (done.queue_s, done.batch_wait_s, done.load_s):
        assert (part[served] >= 0).all()
    again = play(arrivals, shape, steps, cuts)
    for part in ("queue_s", "batch_wait_s", "load_s", "execute_s"):
        assert getattr(done, part).tobytes() == getattr(again, part).tobytes()
    assert done.busy_s == again.busy_s
