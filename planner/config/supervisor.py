"""Starts a set of processes, keeps them alive, and stops every one of them: the whole installation on one terminal."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_START_S = 5.0  # a process that ends sooner than this after the start of all cannot work here
_BACKOFF_S = (1.0, 2.0, 5.0, 15.0, 30.0)
_TICK_S = 0.2
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StartError(Exception):
    """A process ended right after its start; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something worth telling the person at the terminal, once."""

    reached: Callable[[], bool]
    words: Callable[[], str]


@dataclass(slots=True)
class Child:
    """One process. It leads a group of its own, so that whatever it starts can be ended with it."""

    name: str
    command: list[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    restarts: int = 0
    due: float = field(default=0.0)  # when it may be started again

    def start(self, env: Mapping[str, str]) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        self.started = time.monotonic()

    def ended(self) -> int | None:
        """The exit code of a process that has ended since the last look."""
        return None if self.process is None else self.process.poll()

    def ask(self) -> None:
        """Ask the process (not its children, who would lose their work) to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def sweep(self) -> None:
        """End what is left of the group."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def last_words(self, lines: int = 15) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


class Supervisor:
    """Children are started in order and stopped in the reverse order of their groups: `first` ones end last."""

    def __init__(
        self, env: Mapping[str, str], log_folder: Path, say: Callable[[str], None], grace_s: float = 8.0
    ) -> None:
        self.env = dict(env)
        self._folder, self._say, self._grace_s = log_folder, say, grace_s
        self._children: list[Child] = []
        self._ending = False
        log_folder.mkdir(parents=True, exist_ok=True)

    def catch_signals(self) -> None:
        """From now on a signal ends `watch` instead of the process."""
        for number in _SIGNALS:
            signal.signal(number, self.ask_to_stop)

    def ask_to_stop(self, *_: object) -> None:
        """End `watch` soon (also a handler of signals)."""
        self._ending = True

    def child(self, name: str) -> Child:
        """The child of this name; KeyError where there is none."""
        return {child.name: child for child in self._children}[name]

    def start(self, name: str, command: list[str]) -> None:
        """Start a process that shall live until `stop`."""
        child = self._child(name, command)
        self._children.append(child)
        child.start(self.env)

    def finish(self, name: str, command: list[str]) -> bool:
        """Run a process to its end. False: a signal came first. StartError where it fails."""
        child = self._child(name, command)
        child.start(self.env)
        while (code := child.ended()) is None and not self._ending:
            time.sleep(_TICK_S)
        child.sweep()
        if code:
            raise StartError(f"{name} ended with code {code}:\n{child.last_words()}")
        return code == 0

    def _child(self, name: str, command: list[str]) -> Child:
        log = self._folder / f"{name}.log"
        log.write_bytes(b"")
        return Child(name, command, log)

    def watch(self, milestones: Sequence[Milestone] = ()) -> None:
        """Keep all children alive until a signal comes, and tell of each milestone once it is reached, in order.

        StartError where a child ends right after its start.
        """
        left = list(milestones)
        while not self._ending:
            for child in self._children:
                self._look_after(child)
            if left and left[0].reached():
                self._say(left.pop(0).words())
            time.sleep(_TICK_S)

    def _look_after(self, child: Child) -> None:
        code = child.ended()
        if code is not None:
            by_itself = code >= 0  # one that was killed (code -9) could work; it is started again
            if by_itself and child.restarts == 0 and time.monotonic() - child.started < _START_S:
                raise StartError(f"{child.name} ended with code {code} right after its start:\n{child.last_words()}")
            child.sweep()
            pause = _BACKOFF_S[min(child.restarts, len(_BACKOFF_S) - 1)]
            child.due, child.restarts = time.monotonic() + pause, child.restarts + 1
            self._say(f"{child.name} ended (code {code}); it is started again in {pause:.0f} s, see {child.log}")
        elif child.process is None and time.monotonic() >= child.due:
            child.start(self.env)

    def stop(self) -> None:
        """Ask all to end, the first one last; what has not ended after the grace period is killed with its group."""
        for group in (self._children[1:], self._children[:1]):
            for child in group:
                child.ask()
            deadline = time.monotonic() + self._grace_s
            while time.monotonic() < deadline and any(c.process and c.process.poll() is None for c in group):
                time.sleep(0.05)
            for child in group:
                child.sweep()


def _end_with_parent() -> None:
    """Runs in the new process: on Linux, it is told to end when its supervisor is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
