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


def test_it_comes_up_heals_and_leaves_nothing_running(tmp_path):
    port, terminal = free_port(), tmp_path / "terminal"

    def told(words: str) -> bool:
        assert up.poll() is None, terminal.read_text()
        return words in terminal.read_text()

    with terminal.open("w") as out:
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=environment(tmp_path, port),
            stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        wait_until(lambda: told("Workers are ready."), 150, "ready", every_s=0.3)
        names = " ".join(processes_of(tmp_path))
        assert all(part in names for part in ("gunicorn", "celery", "reaper")), names
        assert port_answers(broker_port(tmp_path))
        kill_one(tmp_path, "manage.py reaper")
        wait_until(lambda: told("reaper ended (code -9)"), 20, "the reaper is missed")
        wait_until(lambda: any("reaper" in line for line in processes_of(tmp_path)), 20, "the reaper is back")
    finally:
        up.send_signal(signal.SIGINT)
        up.wait(timeout=60)
    said = terminal.read_text()
    assert f"Headroom is ready: http://127.0.0.1:{port}\n" in said
    assert re.search(r"Sign in as admin with the password \S+ \(kept in", said)
    assert up.returncode == 0, said
    assert processes_of(tmp_path) == []
    assert not port_answers(broker_port(tmp_path))
    assert (tmp_path / "admin_password").stat().st_mode & 0o777 == 0o600


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
