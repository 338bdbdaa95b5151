"""R9: a worker that is told to stop hands its run back soon, and the run lost no attempt."""

from __future__ import annotations

import time

import pytest

from tests.servers import wait_until


@pytest.mark.parametrize("kind", ["celery", "no broker"])
def test_a_stopped_worker_hands_its_run_back(install, kind):
    installation = install(FAULTS_PACE_S="60")
    installation.act("submit", 1)
    group = installation.worker(slots=1) if kind == "celery" else installation.worker_without_broker(slots=1)
    installation.wait_for_work_in(group)
    began = time.monotonic()
    group.terminate()
    group.wait(timeout=30)
    assert time.monotonic() - began < 15
    wait_until(lambda: installation.states() == {"queued": 1}, 1, "the run is handed back")
    assert installation.rows("select attempt from studies_run") == [(0,)]


def test_workers_without_a_broker_take_runs_from_the_database(install):
    installation = install(FAULTS_PACE_S="0.1")
    installation.broker.kill()
    installation.act("submit", 20)
    installation.worker_without_broker(slots=2)
    installation.wait_until_finished(60)
    installation.assert_nothing_lost_or_doubled(20)
    assert set(installation.executions("begin").values()) == {1}
