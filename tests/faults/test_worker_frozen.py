"""R6: a worker that sleeps past its lease and wakes up later has no say any more."""

from __future__ import annotations

import signal

from tests.faults.installation import signal_group
from tests.servers import wait_until


def test_the_late_result_of_a_frozen_worker_is_fenced_off(install):
    installation = install(FAULTS_PACE_S="2")
    installation.act("submit", 1)
    installation.reaper()
    frozen = installation.worker(slots=1)
    installation.wait_for_work_in(frozen)
    signal_group(frozen, signal.SIGSTOP)
    installation.worker(slots=1)
    installation.wait_until_finished(60)
    end = "select state, worker, finished_at, attempt, result_id from studies_run"
    stored = installation.rows(end)
    assert stored[0][3] == 2
    signal_group(frozen, signal.SIGCONT)
    wait_until(lambda: "taken over" in installation.log(), 20, "the frozen worker notices")
    assert installation.rows(end) == stored
    installation.assert_nothing_lost_or_doubled(1)
