"""Interleaving of stages: jobs on the same GPUs in turns, so that each resource serves one job at a time.

An iteration of a job passes through the same resources in the same order (storage, CPU, GPU, network). Jobs of a group
start one stage apart; a phase of the group lasts as long as the longest stage in it, and after as many phases as
there are resources every job has done one iteration.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np

from simulation.records import Floats, Ints


@cache
def offsets(jobs: int, resources: int) -> Ints:
    """(orders, jobs): every way to start `jobs` at different stages. Turning all of them changes nothing, so the
    first starts at 0. Raises ValueError for more jobs than resources."""
    if not 1 <= jobs <= resources:
        raise ValueError(f"{jobs} jobs on {resources} resources, expected 1 to {resources}")
    return np.array([(0, *rest) for rest in permutations(range(1, resources), jobs - 1)], np.int64)


def cycle_s(stages_s: Floats) -> float:
    """Seconds in which every job of a group does one iteration, in the best order.

    stages_s (jobs, resources): seconds of an iteration that each job spends on each resource when it runs alone.
    Phase i of the order o lasts max over jobs m of stages_s[m, (i - o[m]) mod resources].
    """
    jobs, resources = stages_s.shape
    orders = offsets(jobs, resources)
    phase = (np.arange(resources) - orders[:, :, None]) % resources
    return float(stages_s[np.arange(jobs)[None, :, None], phase].max(axis=1).sum(axis=1).min())


def efficiency(stages_s: Floats) -> float:
    """Share of the resources' time that the group keeps busy in its best order, 0 to 1."""
    whole_s = stages_s.shape[1] * cycle_s(stages_s)
    return float(stages_s.sum()) / whole_s if whole_s > 0 else 0.0


class Interleaving:
    """Groups of kinds of jobs; every figure is worked out once for each multiset of kinds.

    stages_s (kinds, resources): as in `cycle_s`. inflation[n - 1]: by how much groups of n are slower than the
    formula says, measured; groups are no larger than it is long.
    """

    def __init__(self, stages_s: Floats, inflation: tuple[float, ...]) -> None:
        self.kinds, self.largest = len(stages_s), min(len(inflation), stages_s.shape[1])
        self._stages_s, self._inflation = stages_s, inflation
        self._cycle_s: dict[tuple[int, ...], float] = {}
        self._efficiency: dict[tuple[int, ...], float] = {}

    def iteration_s(self, kinds: tuple[int, ...]) -> float:
        """Seconds an iteration of every job of the group; of one kind: alone."""
        key = tuple(sorted(kinds))
        if key not in self._cycle_s:
            self._cycle_s[key] = cycle_s(self._stages_s[list(key)]) * self._inflation[len(key) - 1]
        return self._cycle_s[key]

    def efficiency(self, kinds: tuple[int, ...]) -> float:
        key = tuple(sorted(kinds))
        if key not in self._efficiency:
            self._efficiency[key] = efficiency(self._stages_s[list(key)])
        return self._efficiency[key]

    def pays(self, kinds: tuple[int, ...]) -> bool:
        """Whether the group is no slower than its jobs one after the other."""
        return self.iteration_s(kinds) <= sum(self.iteration_s((kind,)) for kind in kinds)
