"""R1, R2: workers that are killed in mid-run lose nothing and double nothing; a run that kills them is set aside."""

from __future__ import annotations

import os
import signal

import pytest

from tests.servers import wait_until


def kill_groups(installation, runs: int, kills: int, seconds: float, groups_at_once: int = 2) -> None:
    """Kill whole worker groups in mid-run, one after the other, and replace them."""
    installation.act("submit", runs)
    groups = [installation.worker() for _ in range(groups_at_once)]
    for _ in range(2):
        installation.reaper()  # two, which must not get in each other's way
    for _ in range(kills):
        victim = groups.pop(0)
        installation.wait_for_work_in(victim)
        before = installation.states()["done"]
        installation.kill(victim)
        groups.append(installation.worker())
        wait_until(lambda: installation.states()["done"] > before, 30, "progress after the kill")  # noqa: B023
    installation.wait_until_finished(seconds)
    installation.assert_nothing_lost_or_doubled(runs)
    assert installation.rows("select count(*) from studies_run where attempt > 1")[0][0] > 0


def test_killed_worker_groups_lose_nothing(install):
    kill_groups(install(FAULTS_PACE_S="0.15"), runs=100, kills=5, seconds=60)


@pytest.mark.postgres
def test_killed_worker_groups_lose_nothing_on_postgresql(install, postgres):
    kill_groups(install(database_url=postgres, FAULTS_PACE_S="0.15"), runs=60, kills=4, seconds=60)


@pytest.mark.slow
def test_killed_worker_groups_lose_nothing_in_full_size(install):
    kill_groups(install(FAULTS_PACE_S="0.5"), runs=1000, kills=50, seconds=300, groups_at_once=3)


def test_killed_children_lose_nothing_and_a_poisonous_run_is_given_up(install):
    installation = install(FAULTS_PACE_S="0.2")
    installation.act("submit", 40)
    poisonous = installation.act("poison")["run"]
    group = installation.worker()
    installation.reaper()
    for _ in range(8):
        os.kill(installation.wait_for_work_in(group), signal.SIGKILL)
    installation.wait_until_finished(90)
    assert installation.states() == {"done": 40, "failed": 1}
    key = poisonous if installation.database_url else poisonous.replace("-", "")
    [(attempts, reason)] = installation.rows(f"select attempt, reason from studies_run where id = '{key}'")
    assert attempts == 5
    assert reason.startswith("Gave up after 5 attempts")
    assert installation.executions("begin")[poisonous] == 5
