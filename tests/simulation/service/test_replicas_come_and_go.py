"""Replicas load, serve, are taken away and finish their batch; each wait is booked to its reason."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.service import Release, ServiceQueue
from tests.simulation.service.queues import latencies, service, waits


def queue(arrivals, **fields) -> ServiceQueue:
    return ServiceQueue(service(**fields), np.asarray(arrivals, dtype=np.float64))


def test_waiting_for_a_replica_that_loads_is_load():
    q = queue([1.0, 1.0], alpha_s=2.0)
    q.set_replicas(0.0, 1, 10.0)
    done = q.finish(100.0)
    assert list(done.load_s) == [9.0, 9.0]
    assert list(done.queue_s) == [0.0, 2.0]  # the second then waits for the first
    assert list(done.batch_wait_s) == [0.0, 0.0]


def test_before_a_replica_was_asked_for_the_wait_is_queue():
    q = queue([1.0], alpha_s=2.0)
    q.set_replicas(4.0, 1, 10.0)
    done = q.finish(100.0)
    assert (done.queue_s[0], done.load_s[0], done.execute_s[0]) == (3.0, 6.0, 2.0)


def test_a_free_replica_and_a_batch_not_full_is_batch_wait():
    q = queue([0.0, 3.0, 4.0, 5.0], alpha_s=2.0, batch_max=2, timeout_s=None)
    q.set_replicas(0.0, 1, 0.0)
    done = q.finish(100.0)
    assert list(done.batch_wait_s) == [3.0, 0.0, 0.0, 0.0]
    assert list(done.queue_s) == [0.0, 0.0, 1.0, 0.0]  # busy until 5, and full at 5


def test_a_taken_replica_ends_its_batch_and_says_when_its_gpus_are_free():
    q = queue([0.0, 1.0, 1.5], alpha_s=10.0)
    q.set_replicas(0.0, 2, 0.0)
    assert q.set_replicas(2.0, 1, 2.0) == (Release(slot=0, at_s=10.0),)
    done = q.finish(100.0)
    assert list(latencies(done)) == [10.0, 10.0, 19.5]  # the third waits for the one that stayed, busy until 11
    assert done.busy_s == 30.0


def test_loading_replicas_go_first_then_idle_ones_then_those_free_soonest():
    q = queue([0.0], alpha_s=10.0)
    q.set_replicas(0.0, 2, 0.0)
    q.set_replicas(1.0, 4, 50.0)
    assert q.set_replicas(2.0, 0, 2.0) == (
        Release(3, 2.0), Release(2, 2.0), Release(1, 2.0), Release(0, 10.0),
    )  # fmt: skip


def test_new_replicas_get_new_numbers():
    q = queue([], alpha_s=1.0)
    q.set_replicas(0.0, 1, 0.0)
    q.set_replicas(1.0, 0, 0.0)
    q.set_replicas(2.0, 1, 0.0)
    assert q.set_replicas(3.0, 0, 0.0) == (Release(1, 3.0),)


def test_nothing_is_served_without_replicas():
    q = queue([0.0, 1.0], alpha_s=1.0)
    assert q.waiting == 2
    done = q.finish(10.0)
    assert list(done.outcome) == [1, 1]
    assert done.busy_s == 0.0


def test_time_does_not_go_back():
    q = queue([0.0], alpha_s=1.0)
    q.advance(5.0)
    with pytest.raises(ValueError, match=r"time cannot go back from 5\.0 to 4\.0"):
        q.advance(4.0)


def test_an_autoscaler_sees_rate_utilisation_and_queue():
    q = queue([0.0, 10.0, 11.0, 12.0, 13.0], alpha_s=4.0)
    q.set_replicas(0.0, 1, 0.0)
    q.set_replicas(11.0, 2, 30.0)
    seen = q.observed(14.0, 4.0)
    assert seen.arrival_rate_per_s == pytest.approx(3 / 4)  # 11, 12, 13; 10 is outside (10, 14]
    assert seen.utilisation == pytest.approx(1.0)  # busy from 10 to 18
    assert (seen.queue, seen.replicas, seen.replicas_ready) == (2, 2, 1)
    idle = q.observed(1000.0, 10.0)
    assert (idle.arrival_rate_per_s, idle.utilisation, idle.queue) == (0.0, 0.0, 0)


def test_utilisation_of_no_replicas_is_unknown():
    q = queue([0.0], alpha_s=1.0)
    seen = q.observed(5.0, 5.0)
    assert seen.utilisation is None
    assert q.observed(5.0, 0.0).arrival_rate_per_s is None


def test_last_end_tells_when_everything_was_answered():
    q = queue([0.0, 0.5], alpha_s=1.0)
    q.set_replicas(0.0, 1, 0.0)
    q.advance(np.inf)
    assert (q.waiting, q.last_end_s) == (0, 2.0)


def test_more_replicas_never_raise_the_mean_wait():
    arrivals = np.cumsum(np.random.default_rng(5).exponential(0.01, 2000))
    means = []
    for replicas in (1, 2, 3, 4):
        q = queue(arrivals, alpha_s=0.012)
        q.set_replicas(0.0, replicas, 0.0)
        means.append(waits(q.finish(1e9)).mean())
    assert means == sorted(means, reverse=True)
