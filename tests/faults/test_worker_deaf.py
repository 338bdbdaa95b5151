"""A worker that lives but no longer hears the bell is replaced, and its runs are done."""

from __future__ import annotations

import os
import signal
import time

from tests.servers import wait_until


def test_a_deaf_worker_ends_by_itself_and_its_successor_does_the_runs(install, tmp_path):
    installation = install(RUN_STALL_S="2", FAULTS_DEAF=str(tmp_path / "deaf"), FAULTS_PACE_S="0")
    deaf = installation.worker()
    wait_until(lambda: (tmp_path / "deaf").exists(), 60, "the worker is deaf")
    installation.act("submit", 6)
    assert deaf.wait(timeout=30) == os.EX_TEMPFAIL
    assert installation.states() == {"queued": 6}
    installation.worker()
    installation.wait_until_finished(60)
    installation.assert_nothing_lost_or_doubled(6)
    assert set(installation.executions("begin").values()) == {1}


def test_a_worker_that_is_busy_or_whose_broker_is_frozen_is_left_alone(install):
    """Both last longer than the patience with a worker that takes no message."""
    installation = install(RUN_STALL_S="1.2", FAULTS_PACE_S="2")
    worker = installation.worker()
    installation.act("submit", 4)  # two at a time: two messages wait meanwhile
    installation.wait_until_finished(60)
    installation.broker.signal(signal.SIGSTOP)
    assert installation.act("submit", 6)["waited_s"] < 1.0  # two more than are known already
    time.sleep(2)
    installation.broker.signal(signal.SIGCONT)
    installation.reaper()
    installation.wait_until_finished(60)
    assert worker.poll() is None
    assert set(installation.executions("begin").values()) == {1}
