"""The lists of a run, brought up to date at a decision."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.state import FINISHED, RUNNING, State
from simulation.fidelity.profiles.lists import GPUS, QUEUES, REMAINING_GPU_TIME, Lists
from simulation.fidelity.profiles.queues import requeue
from simulation.records import Ints


@kernel
def relist(s: State, f: Lists, now_s: float, waiting: Ints, count: int) -> None:
    """Finished jobs leave, those of `waiting[:count]` that have never run join at the end; then all are in order."""
    renew(s, f, waiting, count)
    if f.rank == QUEUES:
        requeue(s, f, now_s)
    else:
        rank_running(s, f, now_s)
        sort_stably(f)


@inner
def renew(s: State, f: Lists, waiting: Ints, count: int) -> None:
    kept = 0
    for i in range(f.tally[0]):
        if s.phase[f.job[i]] != FINISHED:
            f.job[kept] = f.job[i]
            kept += 1
    for i in range(count):
        job = waiting[i]
        if np.isnan(s.first_start_s[job]):
            f.job[kept] = job
            f.key[job] = s.gang[job] if f.rank == GPUS else s.remaining_s[job]
            if f.rank == REMAINING_GPU_TIME:
                f.key[job] *= s.gang[job]
            kept += 1
    f.tally[0] = kept


@inner
def rank_running(s: State, f: Lists, now_s: float) -> None:
    """The keys of running jobs; nobody else's change."""
    if f.rank == GPUS:
        return
    for i in range(f.tally[0]):
        job = f.job[i]
        if s.phase[job] == RUNNING:
            left_s = max(0.0, s.remaining_s[job] - max(0.0, now_s - s.work_from_s[job]) * s.rate[job])
            f.key[job] = left_s * s.gang[job] if f.rank == REMAINING_GPU_TIME else left_s


@inner
def sort_stably(f: Lists) -> None:
    """By key, ascending: jobs that tie keep their previous order. A list that is nearly sorted costs one pass."""
    for i in range(1, f.tally[0]):
        job, value = f.job[i], f.key[f.job[i]]
        at = i
        while at > 0 and value < f.key[f.job[at - 1]]:
            f.job[at] = f.job[at - 1]
            at -= 1
        f.job[at] = job
