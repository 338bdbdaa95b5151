"""During one study every process of an installation is killed, each at least once; the supervisor starts them again."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading

import pytest

from planner.config.broker import broker_choose, free_port
from planner.config.management.commands.up import health_of
from planner.config.supervisor import Child, Supervisor
from tests.faults.installation import Installation
from tests.servers import wait_until


@pytest.fixture
def kept_alive(tmp_path, migrated):
    """An installation under the supervisor of `make run`, with its address."""
    broker, port = broker_choose("", tmp_path / "broker"), free_port()
    installation = Installation(tmp_path / "state", REDIS_URL=broker.url, FAULTS_PACE_S="0.2")
    shutil.copy(migrated, installation.folder)
    supervisor = Supervisor(installation.env, tmp_path / "log", lambda text: None)
    supervisor.start("broker", broker.command)
    for name, command in {
        "worker": ["celery", "--app", "tests.faults.paced", "worker", "--concurrency", "2", "--optimization", "fair"],
        "reaper": ["tests.faults.paced", "reaper"],
        "web": ["gunicorn", "planner.config.wsgi", "--no-control-socket", "--bind", f"127.0.0.1:{port}"],
    }.items():
        supervisor.start(name, [sys.executable, "-m", *command])
    watching = threading.Thread(target=supervisor.watch)
    watching.start()
    yield installation, supervisor, f"http://127.0.0.1:{port}"
    supervisor.ask_to_stop()
    watching.join()
    supervisor.stop()


def kill(supervisor: Supervisor, name: str) -> Child:
    """Kill the leader of a group in earnest, and wait for its successor."""
    child = supervisor.child(name)
    before = child.restarts
    os.kill(child.process.pid, signal.SIGKILL)
    wait_until(lambda: child.restarts > before and child.process is not None, 20, f"{name} is started again")
    return child


def test_whatever_is_killed_during_a_study_nothing_is_lost_and_nothing_doubled(kept_alive):
    installation, supervisor, address = kept_alive
    wait_until(lambda: health_of(address), 90, "all parts are well")
    installation.act("submit", 200)
    for name in ("web", "broker", "worker", "reaper", "web", "worker", "broker"):
        installation.wait_for_work_in(supervisor.child("worker").process)
        kill(supervisor, name)
        wait_until(lambda: health_of(address), 60, f"all parts are well after the end of {name}")
    assert installation.unfinished() > 0, "the last kill hit a running study"
    installation.wait_until_finished(90)
    installation.assert_nothing_lost_or_doubled(200)
