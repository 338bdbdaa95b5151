"""Rounds that keep promises: jobs run where they are furthest behind the share of the time that they were promised.

Run time on a type over all run time there is what a job has received; promised over received is its priority. Promises
are renewed only now and then; what they owe then is the deficit.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from simulation.records import Floats, Ints

PRIORITY_UNRUN = 1e9  # times the share, for a job that received nothing


class Promises:
    """Shares, run times and deficits of all jobs: arrays (jobs, types)."""

    def __init__(self, jobs: int, types: int, credit_s: float) -> None:
        """credit_s: what a job counts as having run on each type when it comes, and when promises are renewed."""
        self.share, self.ran_s, self.deficit_s = (np.zeros((jobs, types)) for _ in range(3))
        self.promised = np.zeros(jobs, np.bool_)
        self.total_s = np.zeros(types)
        self.renewed_s = 0.0
        self._credit_s = credit_s

    def admit(self, jobs: Ints) -> None:
        self.ran_s[jobs] = self._credit_s
        self.total_s += self._credit_s * len(jobs)

    def charge(self, job: int, kind: int, seconds: float) -> None:
        self.ran_s[job, kind] += seconds
        self.total_s[kind] += seconds

    def settle(self, live: Ints, now_s: float) -> None:
        """Before a renewal: what was promised since the last one and not received is owed."""
        owed = self.share[live] * (now_s - self.renewed_s)
        self.deficit_s[live] += owed - (self.ran_s[live] - self._credit_s)
        self.ran_s[live] = self._credit_s
        self.total_s[:] = self._credit_s * len(live)
        self.renewed_s = now_s

    def priority(self, live: Ints) -> Floats:
        """(live, types) promised over received; 0 for a job that was promised nothing yet."""
        received = self.ran_s[live] / self.total_s
        share = self.share[live]
        behind = np.divide(share, received, out=share * PRIORITY_UNRUN, where=received > 0)
        return np.where(self.promised[live][:, None], behind, 0.0)

    def choose(self, live: Ints, gang: Ints, may: NDArray[np.bool_], order: Iterable[int], gpus: Ints) -> Ints:
        """(live,) the type on which each job runs in this round; -1: none.

        gang (live,); may (live, types): where a job may run; order: types, the first to be handed out first.
        """
        priority, kinds = self.priority(live), np.full(len(live), -1, np.int64)
        for kind in order:
            rank = np.lexsort((-self.share[live, kind], -self.deficit_s[live, kind], -priority[:, kind]))
            _hand_out(rank, gang, may, kind, int(gpus[kind]), kinds)
        return kinds


@njit(cache=True)
def _hand_out(rank: Ints, gang: Ints, may: NDArray[np.bool_], kind: int, gpus: int, kinds: Ints) -> None:
    """GPUs of one type to jobs that have none, in the order of `rank`, passing over those that do not fit."""
    for row in rank:
        if kinds[row] < 0 and may[row, kind] and gang[row] <= gpus:
            kinds[row] = kind
            gpus -= gang[row]
