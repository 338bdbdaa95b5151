"""Simulators that foretell: at each event they say who holds how many GPUs until the next one, and who ends before it.

A Schedule says so (a Stretch); the policy turns it into holdings, and the loop ends jobs when it was said. How much
work a job has left is the schedule's own account: the ledger's is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.kernels.place import TAKE_ANY
from simulation.engine.loop import Loop
from simulation.engine.plan import Beside, Decision
from simulation.engine.policy import Conduct, News
from simulation.engine.view import View
from simulation.fidelity.profiles.pace import end_at
from simulation.records import Ints


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one event to the next. Jobs are rows in the order of arrival."""

    next_s: float  # inf: nothing is foretold
    gpus: Mapping[int, int] = field(default_factory=dict)  # of each job that holds any
    end_s: Mapping[int, float] = field(default_factory=dict)  # of those that end in this stretch
    idle_s: Mapping[int, float] = field(default_factory=dict)  # at its begin: what starting or resizing costs
    declined: tuple[int, ...] = ()  # at its begin


class Schedule(Protocol):
    """One object serves one run."""

    def first_s(self) -> float:
        """The instant of the first event."""

    def step(self, now_s: float) -> Stretch:
        """What follows the event at `now_s`, the end of the last stretch."""


class Foretold:
    """The policy. One pool of equal GPUs: only how many a job holds matters."""

    conduct = Conduct()

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self.stretch = Stretch(schedule.first_s())

    def begin(self, view: View) -> None:
        """Everything is known to the schedule."""

    def compiled(self) -> None:
        return None

    def decide(self, view: View, news: News) -> Decision | None:
        """Between two events nothing changes, though jobs arrive and end; who keeps their number keeps their GPUs."""
        if view.now_s < self.stretch.next_s:
            return None
        self.stretch = self._schedule.step(view.now_s)
        wanted, held, draft = self.stretch.gpus, view.held, Draft(view.ledger)
        for job in view.running.tolist():
            if wanted.get(job, 0) != held[job]:
                draft.stop(job)
        for job, gpus in sorted(wanted.items()):
            if gpus != held[job]:
                draft.start(job, gpus, TAKE_ANY)
        return Decision(draft.plan(), Beside(refused=self.stretch.declined))

    def wake_s(self, view: View) -> float:
        return self.stretch.next_s

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]


class ForetoldLoop(Loop):
    """A loop in which jobs end when the stretch says so."""

    policy: Foretold
    _paced: Stretch | None = None

    def limit_s(self) -> float:
        """Asked before the clock moves on, so also when a stretch has just begun."""
        stretch = self.policy.stretch
        if stretch is not self._paced:
            self._paced = stretch
            jobs, most_s = sorted(stretch.gpus), stretch.next_s - self.view.now_s
            idle_s = [min(most_s, stretch.idle_s.get(job, 0.0)) for job in jobs]
            rows = np.array(jobs, dtype=np.int64)
            self.ledger.work_from_s[rows] += np.array(idle_s, dtype=np.float64)
            end_at(self.ledger, rows, np.array([stretch.end_s.get(job, np.inf) for job in jobs], dtype=np.float64))
        return super().limit_s()
