"""Attained service in lists, one a queue: jobs move to the tails of queues, and to the front when they begin to run."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.state import RUNNING, WAITING, State
from simulation.fidelity.profiles.lists import FLOOR_OF_REST, Lists
from simulation.records import Floats, Ints


@inner
def requeue(s: State, f: Lists, now_s: float) -> None:
    """Since the last decision: who began to run stands in front, then who moves goes to a tail; then the index."""
    deal(f, s.phase, True)
    moved = look(s, f, now_s)
    if moved > 0:
        to_end(f, moved)
        deal(f, s.phase, False)
    if len(f.sample) > 0:
        index_running(s, f, now_s)
        sort_queues(f, s.submit_s)


@inner
def look(s: State, f: Lists, now_s: float) -> int:
    """Demote running jobs and promote waiting ones, one queue at most; writes into `moved`, and returns how many."""
    since_s, count, last = now_s - f.looked_s[0], 0, len(f.limit)
    f.looked_s[0] = now_s
    for i in range(f.tally[0]):
        job = f.job[i]
        ran_s, level = s.held_s[job] - f.base_s[job], f.level[job]
        if s.phase[job] == RUNNING:
            ran_s += now_s - s.since_s[job]
            served = ran_s * s.gang[job] if f.by_gpus else ran_s
            if level < last and served >= f.limit[level]:
                f.level[job] += 1
                f.moved[count] = job
                count += 1
        elif f.promote > 0 and s.phase[job] == WAITING and ran_s > 0:
            f.waited_s[job] += since_s
            if level > 0 and f.waited_s[job] >= np.floor(ran_s * f.promote):
                f.level[job] = 0
                f.base_s[job] += ran_s
                f.waited_s[job] = 0.0
                f.moved[count] = job
                count += 1
    return count


@inner
def to_end(f: Lists, count: int) -> None:
    """Those who moved go behind all others, in the order of submission."""
    for i in range(1, count):
        job, at = f.moved[i], i
        while at > 0 and job < f.moved[at - 1]:
            f.moved[at] = f.moved[at - 1]
            at -= 1
        f.moved[at] = job
    for i in range(count):
        f.is_moved[f.moved[i]] = 1
    kept = 0
    for i in range(f.tally[0]):
        if not f.is_moved[f.job[i]]:
            f.job[kept] = f.job[i]
            kept += 1
    for i in range(count):
        f.job[kept + i] = f.moved[i]
        f.is_moved[f.moved[i]] = 0


@inner
def deal(f: Lists, phase: Ints, by_phase: bool) -> None:
    """Order the list by queue, and inside a queue the running before the waiting if `by_phase`; else as they stand."""
    count = f.tally[0]
    f.start[:] = 0
    for i in range(count):
        job = f.job[i]
        f.start[2 * f.level[job] + (by_phase and phase[job] != RUNNING) + 1] += 1
    for kind in range(1, len(f.start)):
        f.start[kind] += f.start[kind - 1]
    for i in range(count):
        job = f.job[i]
        kind = 2 * f.level[job] + (by_phase and phase[job] != RUNNING)
        f.pile[f.start[kind]] = job
        f.start[kind] += 1
    for i in range(count):
        f.job[i] = f.pile[i]


@inner
def index_running(s: State, f: Lists, now_s: float) -> None:
    """The Gittins index of all jobs by the GPU-time that they have had."""
    for i in range(f.tally[0]):
        job = f.job[i]
        attained = s.attained_gpu_s[job]
        if s.phase[job] == RUNNING:
            attained += s.held[job] * (now_s - s.since_s[job])
        f.key[job] = f.table[np.searchsorted(f.sample, attained, side="right")]


@inner
def sort_queues(f: Lists, submit_s: Floats) -> None:
    """Inside each queue the highest index first, then the earliest submission; stable."""
    for i in range(1, f.tally[0]):
        job, at = f.job[i], i
        while at > 0:
            other = f.job[at - 1]
            ahead = f.key[job] > f.key[other] or (f.key[job] == f.key[other] and submit_s[job] < submit_s[other])
            if f.level[other] != f.level[job] or not ahead:
                break
            f.job[at] = other
            at -= 1
        f.job[at] = job


@kernel
def next_look_s(s: State, f: Lists, now_s: float) -> float:
    """The instant of the next demotion or promotion as the peer foretells it; inf: none."""
    soonest_s, last = np.inf, len(f.limit)
    for i in range(f.tally[0]):
        job = f.job[i]
        level, ran_s = f.level[job], s.held_s[job] - f.base_s[job]
        if s.phase[job] == RUNNING:
            ran_s += now_s - s.since_s[job]
            if level < last:
                gpus = s.gang[job] if f.by_gpus else 1
                rest_s = np.floor((f.limit[level] - ran_s) / gpus)
                whole_s = np.ceil(f.limit[level] / gpus) - ran_s
                soonest_s = min(soonest_s, rest_s if f.jump == FLOOR_OF_REST else whole_s)
        elif f.promote > 0 and level > 0 and ran_s > 0:
            to_wait_s = np.floor(f.promote * ran_s - f.waited_s[job])
            if to_wait_s > 0:
                soonest_s = min(soonest_s, to_wait_s)
    return now_s + soonest_s
