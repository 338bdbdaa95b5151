"""Attempts of waiting gangs: each gathers GPUs for a while, pauses, and comes back content with less locality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulation.mechanisms.locality import Locality
from simulation.records import Floats, Ints


@dataclass(frozen=True)
class Relaxation:
    """After how many failed attempts a gang gives up the fewest nodes, then one rack; and how long attempts take.

    gather_s: time of one attempt; backoff_s: pause after a failed one.
    """

    give_up_nodes: int
    give_up_rack: int
    gather_s: float
    backoff_s: float


class Attempts:
    """Where each job of a run stands with its attempts."""

    def __init__(self, jobs: int, rule: Relaxation) -> None:
        self.failed: Ints = np.zeros(jobs, np.int64)
        self._rule = rule
        self._until_s: Floats = np.full(jobs, np.inf)  # end of the attempt or of the pause
        self._gathers = np.zeros(jobs, np.bool_)

    def begin(self, jobs: Ints, now_s: float) -> None:
        """`jobs` have begun to wait: the first attempt starts."""
        self.failed[jobs] = 0
        self._gathers[jobs] = True
        self._until_s[jobs] = now_s + self._rule.gather_s

    def advance(self, waiting: Ints, now_s: float) -> None:
        """End the attempts and pauses of `waiting` jobs that are over at `now_s`; call it at every such instant."""
        due = waiting[self._until_s[waiting] <= now_s]
        failed, back = due[self._gathers[due]], due[~self._gathers[due]]
        self.failed[failed] += 1
        self._gathers[failed], self._gathers[back] = False, True
        self._until_s[failed] = now_s + self._rule.backoff_s
        self._until_s[back] = now_s + self._rule.gather_s

    def gathers(self, jobs: Ints) -> NDArray[np.bool_]:
        """Whether each job is at an attempt; else it pauses and takes nothing."""
        mask: NDArray[np.bool_] = self._gathers[jobs]
        return mask

    def locality(self, job: int) -> Locality:
        """What the job insists on by now."""
        if self.failed[job] < self._rule.give_up_nodes:
            return Locality.FEWEST_NODES
        return Locality.ONE_RACK if self.failed[job] < self._rule.give_up_rack else Locality.ANYWHERE

    def next_s(self, waiting: Ints) -> float:
        """When the next attempt or pause ends; inf: nobody waits."""
        return float(self._until_s[waiting].min(initial=np.inf))
