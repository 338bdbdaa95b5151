"""Waiting jobs in the order of two keys, then of submission; kept sorted, never sorted anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.state import RUNNING_COUNT, WAITING, State
from simulation.records import Floats, Ints

Bools = NDArray[np.bool_]


class Queue(ByAddress):
    """`tally[0]` entries are filled. Jobs that wait no longer stay until the next refresh."""

    first: Floats
    second: Floats
    job: Ints
    tally: Ints
    gone: Bools  # (jobs,) scratch, all False between calls


def make_queue(jobs: int) -> Queue:
    """An empty queue with room for every job."""
    first, second, job = np.zeros(jobs + 1), np.zeros(jobs + 1), np.zeros(jobs + 1, np.int64)
    return Queue(first, second, job, np.zeros(1, np.int64), np.zeros(jobs, np.bool_))


@inner
def before(a1: float, a2: float, a: int, b1: float, b2: float, b: int) -> bool:
    """Whether (a1, a2, a) comes before (b1, b2, b)."""
    if a1 != b1:
        return a1 < b1
    if a2 != b2:
        return a2 < b2
    return a < b


@inner
def insert(q: Queue, first: float, second: float, job: int) -> None:
    count = q.tally[0]
    low, high = 0, count
    if count > 0 and before(q.first[count - 1], q.second[count - 1], q.job[count - 1], first, second, job):
        low = count  # most arrive last
    while low < high:
        mid = (low + high) >> 1
        if before(q.first[mid], q.second[mid], q.job[mid], first, second, job):
            low = mid + 1
        else:
            high = mid
    for i in range(count, low, -1):
        q.first[i] = q.first[i - 1]
        q.second[i] = q.second[i - 1]
        q.job[i] = q.job[i - 1]
    q.first[low] = first
    q.second[low] = second
    q.job[low] = job
    q.tally[0] = count + 1


@kernel
def compact(s: State, q: Queue) -> None:
    """Drop the jobs that wait no longer."""
    kept = 0
    count = q.tally[0]
    while kept < count and s.phase[q.job[kept]] == WAITING:
        kept += 1
    for i in range(kept, count):
        if s.phase[q.job[i]] == WAITING:
            q.first[kept] = q.first[i]
            q.second[kept] = q.second[i]
            q.job[kept] = q.job[i]
            kept += 1
    q.tally[0] = kept


@kernel
def remove(s: State, q: Queue, jobs: Ints) -> None:
    """Take `jobs` out, wherever they stand."""
    for job in jobs:
        q.gone[job] = True
    kept = 0
    for i in range(q.tally[0]):
        if not q.gone[q.job[i]]:
            q.first[kept] = q.first[i]
            q.second[kept] = q.second[i]
            q.job[kept] = q.job[i]
            kept += 1
    q.tally[0] = kept
    for job in jobs:
        q.gone[job] = False


@kernel
def refresh(s: State, q: Queue, jobs: Ints, first: Floats, second: Floats) -> None:
    """Drop the jobs that wait no longer, and put in `jobs` (which wait) with their keys."""
    compact(s, q)
    ran = False
    for job in jobs:
        ran = ran or not np.isnan(s.first_start_s[job])
    if ran:
        # started and preempted since the last call: its old entry looks as if it had waited all along
        remove(s, q, jobs)
    for i in range(len(jobs)):
        insert(q, first[i], second[i], jobs[i])


@kernel
def sort_running(s: State, first: Floats, second: Floats) -> None:
    """Put the running jobs in order of their keys (given in their present order); nearly sorted is nearly free."""
    for i in range(1, s.tally[RUNNING_COUNT]):
        job, a, b = s.running[i], first[i], second[i]
        at = i
        while at > 0 and before(a, b, job, first[at - 1], second[at - 1], s.running[at - 1]):
            first[at], second[at], s.running[at] = first[at - 1], second[at - 1], s.running[at - 1]
            s.running_at[s.running[at]] = at
            at -= 1
        first[at], second[at], s.running[at] = a, b, job
        s.running_at[job] = at


@kernel
def merge(s: State, q: Queue, first: Floats, second: Floats, order: Ints) -> int:
    """Running jobs (sorted here by the keys given) and those that still wait in one order; returns how many."""
    compact(s, q)
    sort_running(s, first, second)
    i = j = n = 0
    while i < s.tally[RUNNING_COUNT] or j < q.tally[0]:
        if j == q.tally[0] or (
            i < s.tally[RUNNING_COUNT] and before(first[i], second[i], s.running[i], q.first[j], q.second[j], q.job[j])
        ):
            order[n] = s.running[i]
            i += 1
        else:
            order[n] = q.job[j]
            j += 1
        n += 1
    return n
