"""Memory of GPUs that are shared: where it does not hold everyone, whoever came last runs out of it.

That happens when the newcomer is at work for PEAK_AFTER_S, unless room was made before. It loses what it has not saved,
waits again, and from then on shares with nobody. A job alone never starts on GPUs with too little memory.
"""

from __future__ import annotations

import heapq
from collections import Counter

import numpy as np

from simulation.engine.holding import held_pieces
from simulation.engine.state import RUNNING, State
from simulation.world.build import World

PEAK_AFTER_S = 60.0  # until a job that works reaches its peak; a choice of ours, nobody publishes it


class SharedMemory:
    """The peaks of those who share. `next_s` is the next instant at which one may be too high (inf: none)."""

    def __init__(self, world: World, ledger: State, counts: Counter[str]) -> None:
        self._needs, self._nodes, self._ledger, self._counts = world.jobs.memory, world.nodes, ledger, counts
        self._peaks: list[tuple[float, int, float]] = []  # instant, job, since when it held its GPUs

    @property
    def next_s(self) -> float:
        return self._peaks[0][0] if self._peaks else np.inf

    def joined(self, job: int) -> None:
        """`job` has begun to share GPUs."""
        s = self._ledger
        if self._overfull(job):
            heapq.heappush(self._peaks, (float(s.work_from_s[job]) + PEAK_AFTER_S, job, float(s.began_s[job])))

    def at(self, now_s: float) -> list[int]:
        """The jobs that run out of memory now; they are to share with nobody any more."""
        s, found = self._ledger, []
        while self._peaks and self._peaks[0][0] <= now_s:
            _, job, since_s = heapq.heappop(self._peaks)
            if s.phase[job] == RUNNING and s.began_s[job] == since_s and self._overfull(job):
                s.apart[job] = True
                self._counts["jobs_out_of_memory"] += 1
                found.append(job)
        return found

    def _overfull(self, job: int) -> bool:
        """Whether those who share its GPUs need more than these have; unknown needs are 0, unknown memory is enough."""
        need, other = self._needs[job], int(self._ledger.mate[job])
        if other == job:
            return False
        while other != job:
            need += self._needs[other]
            other = int(self._ledger.mate[other])
        domains = self._nodes.domain[[node for node, _ in held_pieces(self._ledger, job)]]
        return bool((need > self._nodes.domain_memory[domains]).any())
