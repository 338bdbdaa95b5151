"""Attained service in lists, one a queue: jobs move to the tails of queues, and to the front when they begin to run.

The engine's own attained-service order tells demotions exactly in advance and breaks ties by start and arrival. The
simulators that were written with lists differ in whom they consider first inside a queue, in the instants at which they
look (`jump`), and in what a promotion forgets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from simulation.engine.state import RUNNING, WAITING, State
from simulation.fidelity.profiles.listed import Roster
from simulation.records import Floats, Ints

# rule of the instant of the next look: from seconds run and GPUs in whole numbers, rounded down or up
FLOOR_OF_SECONDS, CEILING_OF_LIMIT = range(2)


class Queues(NamedTuple):
    """Per job: its queue, the seconds run at its last promotion, and seconds waited since (after its first run)."""

    level: Ints
    base_s: Floats
    waited_s: Floats
    looked_s: Floats  # (1,) the last look


class Rules(NamedTuple):
    """limit: service at which a queue is left; by_gpus: service is GPU-time; promote: waited over run, 0: never."""

    limit: Floats
    by_gpus: bool
    promote: float
    jump: int


def make_queues(jobs: int) -> Queues:
    return Queues(np.zeros(jobs, np.int64), np.zeros(jobs), np.zeros(jobs), np.zeros(1))


@njit(cache=True)
def run_s(s: State, q: Queues, job: int, now_s: float) -> float:
    """Seconds that a job has held its gang since its last promotion."""
    held_s: float = s.held_s[job] - q.base_s[job]
    if s.phase[job] == RUNNING:
        held_s += now_s - s.since_s[job]
    return held_s


@njit(cache=True)
def look(s: State, r: Roster, q: Queues, rules: Rules, now_s: float, moved: Ints) -> int:
    """Demote running jobs and promote waiting ones, one queue at most; writes who moved, in no order; how many."""
    since_s, count = now_s - q.looked_s[0], 0
    q.looked_s[0] = now_s
    for i in range(r.tally[0]):
        job = r.job[i]
        ran_s = run_s(s, q, job, now_s)
        if s.phase[job] == RUNNING:
            served = ran_s * s.gang[job] if rules.by_gpus else ran_s
            if q.level[job] < len(rules.limit) and served >= rules.limit[q.level[job]]:
                q.level[job] += 1
                moved[count] = job
                count += 1
        elif s.phase[job] == WAITING and ran_s > 0:
            q.waited_s[job] += since_s
            if rules.promote > 0 and q.level[job] > 0 and q.waited_s[job] >= np.floor(ran_s * rules.promote):
                q.level[job] = 0
                q.base_s[job] += ran_s
                q.waited_s[job] = 0.0
                moved[count] = job
                count += 1
    return count


@njit(cache=True)
def to_tails(r: Roster, moved: Ints, count: int, last: Ints) -> None:
    """Those who moved go behind all others, in the order of submission. `last` (jobs,) is scratch, zero throughout."""
    if count == 0:
        return
    moved[:count].sort()
    for i in range(count):
        last[moved[i]] = 1
    kept = 0
    for i in range(r.tally[0]):
        if not last[r.job[i]]:
            r.job[kept] = r.job[i]
            kept += 1
    for i in range(count):
        r.job[kept + i] = moved[i]
        last[moved[i]] = 0


@njit(cache=True)
def deal(s: State, r: Roster, q: Queues, queues: int, by_phase: bool, pile: Ints) -> None:
    """Order the list by queue, and inside a queue the running before the waiting if `by_phase`; else as they stand."""
    kinds = 2 * queues
    start = np.zeros(kinds + 1, np.int64)
    for i in range(r.tally[0]):
        job = r.job[i]
        start[2 * q.level[job] + (by_phase and s.phase[job] != RUNNING) + 1] += 1
    for kind in range(kinds):
        start[kind + 1] += start[kind]
    for i in range(r.tally[0]):
        job = r.job[i]
        kind = 2 * q.level[job] + (by_phase and s.phase[job] != RUNNING)
        pile[start[kind]] = job
        start[kind] += 1
    r.job[: r.tally[0]] = pile[: r.tally[0]]


@njit(cache=True)
def sort_queues(s: State, r: Roster, q: Queues, rank: Floats) -> None:
    """Inside each queue the highest rank first, then the earliest submission; stable."""
    for i in range(1, r.tally[0]):
        job = r.job[i]
        at = i
        while at > 0:
            other = r.job[at - 1]
            ahead = rank[job] > rank[other] or (rank[job] == rank[other] and s.submit_s[job] < s.submit_s[other])
            if q.level[other] != q.level[job] or not ahead:
                break
            r.job[at] = other
            at -= 1
        r.job[at] = job


@njit(cache=True)
def next_look_s(s: State, r: Roster, q: Queues, rules: Rules, now_s: float) -> float:
    """The instant of the next demotion or promotion as the peer computes it; inf: none."""
    soonest = np.inf
    for i in range(r.tally[0]):
        job = r.job[i]
        level, ran_s = q.level[job], run_s(s, q, job, now_s)
        if s.phase[job] == RUNNING and level < len(rules.limit):
            gpus = s.gang[job] if rules.by_gpus else 1
            if rules.jump == FLOOR_OF_SECONDS:
                soonest = min(soonest, np.floor((rules.limit[level] - ran_s) / gpus))
            else:
                soonest = min(soonest, np.ceil(rules.limit[level] / gpus) - ran_s)
        elif s.phase[job] == WAITING and rules.promote > 0 and level > 0 and ran_s > 0:
            to_wait_s = np.floor(rules.promote * ran_s - q.waited_s[job])
            if to_wait_s > 0:
                soonest = min(soonest, to_wait_s)
    return now_s + soonest
