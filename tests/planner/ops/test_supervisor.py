from __future__ import annotations

import os
import threading

import pytest

from planner.config import supervisor
from planner.config.supervisor import Milestone, StartError, Supervisor
from tests.servers import wait_until

FORKS_AND_HANGS = (
    "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork();"
    "print('up', os.getpid(), flush=True); time.sleep(60)"
)


@pytest.fixture
def said():
    return []


@pytest.fixture
def supervised(tmp_path, said):
    made = Supervisor(os.environ, tmp_path / "log", said.append, grace_s=0.3)
    yield made
    made.stop()


def python(code: str) -> list[str]:
    return ["python3", "-c", code]


def running(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def pids(tmp_path, name: str, count: int) -> list[int]:
    log = tmp_path / "log" / f"{name}.log"
    wait_until(lambda: log.exists() and len(log.read_text().split()) >= 2 * count, 5, "children are up")
    return [int(pid) for pid in log.read_text().split()[1::2]]


def watch(supervised) -> threading.Thread:
    thread = threading.Thread(target=supervised.watch)
    thread.start()
    return thread


def test_a_child_that_hangs_is_killed_with_its_own_children(supervised, tmp_path):
    supervised.start("web", python(FORKS_AND_HANGS))
    found = pids(tmp_path, "web", 2)
    assert all(running(pid) for pid in found)
    supervised.stop()
    wait_until(lambda: not any(running(pid) for pid in found), 5, "nothing is left")


def test_a_child_that_dies_later_is_started_again(supervised, tmp_path, said, monkeypatch):
    monkeypatch.setattr(supervisor, "_START_S", 0.0)
    monkeypatch.setattr(supervisor, "_BACKOFF_S", (0.1,))
    code = "import os, time; print('up', os.getpid(), flush=True); time.sleep(60)"
    supervised.start("worker", python(code))
    first = pids(tmp_path, "worker", 1)[0]
    thread = watch(supervised)
    os.kill(first, 9)
    second = pids(tmp_path, "worker", 2)[1]
    assert second != first
    assert "worker ended (code -9)" in said[0]
    supervised.ask_to_stop()
    thread.join()


def test_a_child_that_cannot_start_stops_everything_and_says_why(supervised):
    supervised.start("web", python("raise SystemExit('no such module: x')"))
    with pytest.raises(StartError, match="no such module: x"):
        supervised.watch()


def test_a_step_that_fails_is_reported_with_its_last_words(supervised):
    with pytest.raises(StartError, match="the disk is full"):
        supervised.finish("prepare", python("raise SystemExit('the disk is full')"))
    assert supervised.finish("prepare", python("pass")) is True


def test_what_started_first_ends_last(supervised, tmp_path):
    trace = tmp_path / "order"
    code = (
        "import signal, sys, time;"
        f"signal.signal(signal.SIGTERM, lambda *_: (open({str(trace)!r}, 'a').write(sys.argv[1] + '\\n'), sys.exit()));"
        "print('up', 0, flush=True); time.sleep(60)"
    )
    for name in ("broker", "web"):
        supervised.start(name, [*python(code), name])
        pids(tmp_path, name, 1)
    supervised.stop()
    assert trace.read_text().split() == ["web", "broker"]


def test_milestones_are_told_once_and_in_order(supervised, said):
    supervised.start("web", python("import time; time.sleep(60)"))
    asked = iter([False, True])
    thread = threading.Thread(
        target=supervised.watch,
        args=([Milestone(lambda: next(asked), lambda: "first"), Milestone(lambda: True, lambda: "second")],),
    )
    thread.start()
    wait_until(lambda: len(said) == 2, 5, "both are told")
    supervised.ask_to_stop()
    thread.join()
    assert said == ["first", "second"]
