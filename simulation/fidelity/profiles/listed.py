"""One list of all unfinished jobs, sorted again at each decision: jobs that tie keep their previous order.

The engine's own orders break ties by submission. Simulators that keep a list and sort it stably break them by history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numba import njit

from simulation.engine.policy import News
from simulation.engine.state import FINISHED, RUNNING, WAITING, State
from simulation.engine.view import Regime, View
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.sequence import Sequence
from simulation.records import Floats, Ints

RANKS = ("gpus", "remaining", "remaining-gpu-time")


class Roster(NamedTuple):
    """Jobs in the order of a list; `tally[0]` of them."""

    job: Ints
    tally: Ints

    @property
    def jobs(self) -> Ints:
        return self.job[: self.tally[0]]


def make_roster(jobs: int) -> Roster:
    return Roster(np.zeros(jobs + 1, np.int64), np.zeros(1, np.int64))


@njit(cache=True)
def renew(s: State, r: Roster, waiting: Ints) -> None:
    """Finished jobs leave; those of `waiting` that have never run are new and join at the end."""
    kept = 0
    for i in range(r.tally[0]):
        if s.phase[r.job[i]] != FINISHED:
            r.job[kept] = r.job[i]
            kept += 1
    for job in waiting:
        if np.isnan(s.first_start_s[job]):
            r.job[kept] = job
            kept += 1
    r.tally[0] = kept


@njit(cache=True)
def sort_stably(r: Roster, key: Floats) -> None:
    """By `key` (jobs,), ascending. A list that is nearly sorted costs one pass."""
    for i in range(1, r.tally[0]):
        job, value = r.job[i], key[r.job[i]]
        at = i
        while at > 0 and value < key[r.job[at - 1]]:
            r.job[at] = r.job[at - 1]
            at -= 1
        r.job[at] = job


class Listed:
    """What every sequence over one list has in common: whom it shows, in its order."""

    def __init__(self, view: View) -> None:
        self.roster = make_roster(len(view.submit_s))

    def waiting(self, view: View) -> Ints:
        return self._of_phase(view, WAITING)

    def everyone(self, view: View) -> Ints:
        return self.roster.jobs

    def running(self, view: View) -> Ints:
        return self._of_phase(view, RUNNING)

    def wake_s(self, view: View) -> float:
        return np.inf

    def _of_phase(self, view: View, phase: int) -> Ints:
        jobs = self.roster.jobs
        found: Ints = jobs[view.ledger.phase[jobs] == phase]
        return found


class ResortedSequence(Listed):
    """Sorted stably by a rank that only running jobs change."""

    def __init__(self, view: View, rank: str) -> None:
        super().__init__(view)
        self._rank = rank
        self._key = np.zeros(len(view.submit_s))

    def refresh(self, view: View, news: News) -> None:
        changed = np.concatenate([view.running, news.waiting])
        self._key[changed] = self._ranks(view, changed)
        renew(view.ledger, self.roster, news.waiting)
        sort_stably(self.roster, self._key)

    def _ranks(self, view: View, jobs: Ints) -> Floats:
        if self._rank == "gpus":
            return view.gang[jobs].astype(np.float64)
        left_s = view.remaining_s(jobs)
        if self._rank == "remaining-gpu-time":
            left_s *= view.gang[jobs]
        return left_s


@dataclass(frozen=True)
class Resorted(Ordering):
    """Least GPUs, remaining run time or remaining GPU-time first; ties keep their previous order."""

    member: ClassVar[str] = "resorted"
    rank: str = parameter("remaining", "what the list is sorted by", choices=RANKS)

    @property
    def information(self) -> Regime:
        return Regime.BLIND if self.rank == "gpus" else Regime.ORACLE

    def begin(self, view: View) -> Sequence:
        return ResortedSequence(view, self.rank)
