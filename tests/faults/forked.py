"""Processes that are forked from one which has loaded the engine before: what takes seconds is done once for all.

Everything else is as in a process that starts by itself: it reads its own environment, leads a group of its own, and
can be stopped, frozen and killed.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT
from tests.servers import wait_until

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.faults.loaded"])


class Forked:
    """What a test asks of a subprocess.Popen, for `python -m MODULE ARGUMENTS`."""

    def __init__(self, module: str, *arguments: str, env: Mapping[str, str], out: Path, errors: Path) -> None:
        self.process = FORKS.Process(target=_become, args=((module, *arguments), dict(env), out, errors))
        self.process.start()
        self.pid = self.process.pid
        wait_until(lambda: group_of(self.pid) in (self.pid, None), 60, f"{module} leads a group, or has ended")

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.process), timeout or 0.0)
        return self.process.exitcode

    def terminate(self) -> None:
        self.process.terminate()


def group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _become(command: tuple[str, ...], env: dict[str, str], out: Path, errors: Path) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(env)
    for path, number in ((out, 1), (errors, 2)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), number)
    warnings.resetwarnings()
    warnings.simplefilter(env["PYTHONWARNINGS"])
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
