"""`make run` in a scratch folder: everything comes up, works, and is gone after Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from planner.config.broker import free_port
from tests.conftest import ROOT
from tests.servers import port_answers, wait_until

pytestmark = pytest.mark.xdist_group("faults")


def environment(folder: Path, port: int) -> dict[str, str]:
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("RUN_", "HEADROOM_", "REDIS_", "DATABASE_", "PYTEST_"))
    }
    static = str(ROOT / "var" / "static-tests")  # shared by such tests: compressing takes seconds
    own_state = {"HEADROOM_STATE": str(folder), "HEADROOM_PORT": str(port), "HEADROOM_WORKERS": "1"}
    return {**kept, **own_state, "STATIC_ROOT": static}


def broker_port(folder: Path) -> int:
    return int(re.search(r"^port (\d+)$", (folder / "broker" / "broker.conf").read_text(), re.MULTILINE)[1])


def processes_of(folder: Path) -> list[str]:
    """Command lines of all processes whose environment names the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"HEADROOM_STATE={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return [line for line in found if line.strip()]  # a zombie has no command line


def make_run(folder: Path, port: int, terminal: Path) -> subprocess.Popen[bytes]:
    """`make run` of this environment, as it is, in a shell that has closed its input."""
    here = f"VENV={sys.prefix}"
    command = ["make", "--no-print-directory", here, f"--old-file={sys.prefix}/.runtime", "run"]
    with terminal.open("w") as out:
        return subprocess.Popen(
            ["bash", "-c", 'exec "$@" <&-', "bash", *command], cwd=ROOT, env=environment(folder, port),
            stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip


def test_it_comes_up_heals_and_leaves_nothing_running(tmp_path):
    port, terminal = free_port(), tmp_path / "terminal"
    up = make_run(tmp_path, port, terminal)

    def told(words: str) -> bool:
        assert up.poll() is None, terminal.read_text()
        return words in terminal.read_text()

    try:
        wait_until(lambda: told("Workers are ready."), 150, "ready", every_s=0.3)
        names = " ".join(processes_of(tmp_path))
        assert all(part in names for part in ("gunicorn", "celery", "reaper")), names
        assert port_answers(broker_port(tmp_path))
        kill_one(tmp_path, "manage.py reaper")
        wait_until(lambda: told("reaper ended (code -9)"), 20, "the reaper is missed")
        wait_until(lambda: any("reaper" in line for line in processes_of(tmp_path)), 20, "the reaper is back")
    finally:
        os.killpg(up.pid, signal.SIGINT)  # Ctrl-C reaches make and what it runs
        up.wait(timeout=60)
    said = terminal.read_text()
    assert f"Headroom is ready: http://127.0.0.1:{port}\n" in said
    assert re.search(r"Sign in as admin with the password \S+ \(kept in", said)
    assert "Stopped; nothing is left running." in said
    assert processes_of(tmp_path) == []
    assert not port_answers(broker_port(tmp_path))
    assert (tmp_path / "admin_password").stat().st_mode & 0o777 == 0o600


def test_a_make_that_is_told_to_end_takes_everything_with_it(tmp_path):
    """In the middle of the start: the broker runs, a worker begins, tables are made."""
    terminal = tmp_path / "terminal"
    make = make_run(tmp_path, free_port(), terminal)
    try:
        wait_until(lambda: any("celery" in line for line in processes_of(tmp_path)), 60, "a worker begins")
    finally:
        make.terminate()
        make.wait(timeout=60)
    assert "Stopped; nothing is left running." in terminal.read_text()
    assert processes_of(tmp_path) == []
    assert not port_answers(broker_port(tmp_path))


def kill_one(folder: Path, part: str) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"HEADROOM_STATE={folder}".encode() in (process / "environ").read_bytes()
            if ours and part in (process / "cmdline").read_bytes().replace(b"\0", b" ").decode():
                os.kill(int(process.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue


def test_a_port_in_use_is_said_and_nothing_is_started(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=environment(tmp_path, port),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr
    assert f"HEADROOM_PORT={port + 1} make run" in done.stderr
    assert processes_of(tmp_path) == []
