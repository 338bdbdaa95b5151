"""R3, R4: a broker that is killed, or forgets everything, delays runs and loses none."""

from __future__ import annotations

import pytest

from tests.servers import wait_until


@pytest.mark.parametrize("persistent", [True, False], ids=["with-log", "forgetful"])
def test_a_killed_broker_loses_no_run(install, persistent):
    installation = install(persistent=persistent, FAULTS_PACE_S="0.1")
    group = installation.worker()
    installation.reaper()
    installation.act("submit", 40)
    for _ in range(2):
        installation.wait_for_work_in(group)
        installation.broker.kill()
        installation.broker.start()
    installation.wait_until_finished(60)
    installation.assert_nothing_lost_or_doubled(40)


def test_workers_go_on_after_a_broker_that_died_while_all_of_them_were_busy(install):
    """None of the messages at work can be acknowledged, and the consumers have asked for no other one."""
    installation = install(persistent=True, FAULTS_PACE_S="0.5", RUN_STALL_S="600")
    group = installation.worker()
    installation.reaper()
    installation.act("submit", 8)
    installation.wait_for_work_in(group)
    wait_until(lambda: len(installation.at_work()) == 2, 10, "both slots are busy", every_s=0.01)
    installation.broker.kill()
    wait_until(lambda: not installation.at_work(), 10, "both runs have ended without a broker")
    installation.broker.start()
    installation.wait_until_finished(30)
    installation.assert_nothing_lost_or_doubled(8)
    assert "Couldn't ack" in installation.log()


def test_runs_submitted_during_an_outage_are_accepted_at_once_and_done_later(install):
    installation = install(FAULTS_PACE_S="0.05")
    installation.worker()
    installation.reaper()
    installation.broker.kill()
    assert installation.act("submit", 30)["waited_s"] < 1.0
    assert installation.states() == {"queued": 30}
    installation.broker.start()
    installation.wait_until_finished(60)
    installation.assert_nothing_lost_or_doubled(30)
