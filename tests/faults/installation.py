"""A whole installation of its own in a scratch folder: database, broker, workers, reaper, as real processes.

The test process looks at it from outside, in plain SQL, and starts, freezes and kills its processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis

from tests.conftest import ROOT
from tests.faults.forked import Forked, group_of
from tests.servers import Server, redis_url, wait_until

# Short leases, so that what takes half a minute in earnest takes seconds here.
QUICK = {
    "RUN_LEASE_S": "3",
    "RUN_HEARTBEAT_S": "0.7",
    "RUN_REAP_EVERY_S": "0.5",
    "RUN_REQUEUE_AFTER_S": "4",
    "RUN_CANCEL_CHECK_S": "0.2",
}

ALWAYS = {"REMAP_SIGTERM": "SIGQUIT", "PYTHONWARNINGS": "default"}


class Installation:
    def __init__(self, folder: Path, broker: Server | None = None, database_url: str = "", **env: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.broker, self.database_url = folder, broker, database_url
        self.journal = folder / "executions.log"
        self.processes: list[subprocess.Popen[bytes] | Forked] = []
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("RUN_", "HEADROOM_", "PYTEST_"))},
            **QUICK,
            "HEADROOM_STATE": str(folder),
            "REDIS_URL": redis_url(broker.port) if broker else "",
            "FAULTS_JOURNAL": str(self.journal),
            "PYTHONPATH": str(ROOT),
            **ALWAYS,
            **({"DATABASE_URL": database_url} if database_url else {}),
            **env,
        }

    # Processes

    def start(self, *command: str, **env: str) -> subprocess.Popen[bytes]:
        """A process in a group of its own, so that it can be killed with all its children."""
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                command, env=self.env | env, cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self, slots: int = 2) -> Forked:
        app = ("celery", "--app", "tests.faults.paced", "worker", "--loglevel", "INFO")
        options = ("--concurrency", str(slots), "--without-gossip", "--without-mingle", "--optimization", "fair")
        return self._forked(*app, *options)

    def worker_without_broker(self, slots: int) -> Forked:
        return self._forked("tests.faults.paced", "run_worker", "--slots", str(slots))

    def reaper(self) -> Forked:
        return self._forked("manage", "reaper")

    def _forked(self, *command: str, out: str = "processes.log") -> Forked:
        errors = self.folder / "processes.log"
        process = Forked(*command, env=self.env, out=self.folder / out, errors=errors)
        self.processes.append(process)
        return process

    def kill(self, process: Forked) -> None:
        signal_group(process, signal.SIGKILL)
        process.wait()

    def stop_all(self) -> None:
        for process in self.processes:
            signal_group(process, signal.SIGKILL)
        for process in self.processes:
            process.wait()
        if self.broker:
            self.broker.kill()

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env=self.env, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def act(self, *arguments: object) -> Any:
        """One act of tests.faults.acts in a process of its own; its answer."""
        told = self.folder / "told.json"
        told.unlink(missing_ok=True)
        act = self._forked("tests.faults.acts", *map(str, arguments), out=told.name)
        assert act.wait(60) == 0, f"{arguments}\n{self.log()}"
        return json.loads(told.read_text())

    # What is in the database and in the journal

    def log(self) -> str:
        return (self.folder / "processes.log").read_text(errors="replace")

    def messages(self) -> int:
        assert self.broker is not None
        with Redis(port=self.broker.port) as client:
            return int(client.llen("headroom-runs")) + int(client.hlen("unacked"))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        if self.database_url:
            with psycopg.connect(self.database_url) as connection:
                return connection.execute(query).fetchall()
        with sqlite3.connect(self.folder / "headroom.sqlite3", timeout=20) as connection:
            found = connection.execute(query).fetchall()
        connection.close()
        return found

    def states(self) -> Counter[str]:
        return Counter(dict(self.rows("select state, count(*) from studies_run group by state")))

    def unfinished(self) -> int:
        now = self.states()  # one look: between two, a run may go from running back to queued
        return now["queued"] + now["running"]

    def executions(self, event: str) -> Counter[str]:
        """How often each run began or ended in an engine, by the journal that the paced engine writes."""
        return Counter(run for kind, run, _ in self._journal() if kind == event)

    def _journal(self) -> list[list[str]]:
        text = self.journal.read_text() if self.journal.exists() else ""
        return [line.split() for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def at_work(self) -> dict[str, int]:
        """Runs that an engine has begun and not ended, with the process of each."""
        open_runs: dict[str, int] = {}
        for kind, run, pid in self._journal():
            if kind == "begin":
                open_runs[run] = int(pid)
            elif open_runs.get(run) == int(pid):
                del open_runs[run]
        return open_runs

    def wait_for_work_in(self, group: subprocess.Popen[bytes] | Forked, seconds: float = 60) -> int:
        """Until a process of this group is in the middle of a run: a kill that hits idle workers tests nothing."""
        found: list[int] = []

        def any_at_work() -> bool:
            found[:] = [pid for pid in self.at_work().values() if group_of(pid) == group.pid]
            return bool(found)

        wait_until(any_at_work, seconds, "the worker is in the middle of a run", every_s=0.01)
        return found[0]

    def wait_until_finished(self, seconds: float) -> None:
        wait_until(lambda: self.unfinished() == 0, seconds, f"all runs end; now {self.states()}", every_s=0.1)

    def assert_nothing_lost_or_doubled(self, runs: int) -> None:
        assert self.states() == {"done": runs}
        assert self.rows("select count(*) from studies_run where result_id is null") == [(0,)]
        answers = self.rows("select count(*), count(distinct scenario_digest || ' ' || seed) from studies_result")
        assert answers == [(runs, runs)]


def signal_group(process: subprocess.Popen[bytes] | Forked, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
