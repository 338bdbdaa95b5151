"""R5: the same message delivered twenty times gives one execution."""

from __future__ import annotations

from tests.servers import wait_until


def test_one_run_is_executed_once_however_often_the_bell_rings(install):
    installation = install(FAULTS_PACE_S="1.5")
    installation.act("submit", 1)
    assert installation.act("ring_often", 20)["rung"] == 20
    installation.worker(slots=4)
    installation.wait_until_finished(60)
    wait_until(lambda: installation.messages() == 0, 20, "all messages are taken")
    assert installation.executions("begin").total() == 1
    installation.assert_nothing_lost_or_doubled(1)
