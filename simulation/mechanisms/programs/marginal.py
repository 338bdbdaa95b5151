"""GPUs one by one to whoever gains most by the next."""

from __future__ import annotations

import heapq

import numpy as np

from simulation.records import Floats, Ints


def by_marginal_gain(value: Floats, low: Ints, high: Ints, gpus: int, factor: Floats) -> Ints:
    """(jobs,) GPUs: first the smallest gangs in order, as long as they fit; then every GPU where it gains most.

    value (jobs, GPUs + 1): what a job with so many is worth, -inf where it cannot run; factor (jobs,) on its gains.
    Ends when nobody gains by one more. Ties go to the first.
    """
    given = np.zeros(len(low), np.int64)
    for job in range(len(low)):
        if low[job] <= gpus and np.isfinite(value[job, low[job]]):
            given[job] = low[job]
            gpus -= int(low[job])

    def gain(job: int) -> float:
        if given[job] == high[job]:
            return 0.0
        return float((value[job, given[job] + 1] - value[job, given[job]]) * factor[job])

    queue = [(-gain(job), job) for job in np.flatnonzero(given).tolist()]
    heapq.heapify(queue)
    while gpus and queue and queue[0][0] < 0:
        job = queue[0][1]
        given[job] += 1
        gpus -= 1
        heapq.heapreplace(queue, (-gain(job), job))
    return given
