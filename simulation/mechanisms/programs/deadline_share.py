"""Minimum satisfactory shares: the fewest GPUs, slot by slot, with which jobs still meet their deadlines.

Each job has a ladder of GPU counts. A plan is a row of counts, one a slot, from now on; slots end at `edges_s`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner, kernel
from simulation.records import Floats, Ints

ROUNDING = 1e-9  # share of its work that a job may lack at its deadline


class Demands(NamedTuple):
    """Jobs in the order of their deadlines; times are from now on. Rates are in work a second."""

    work: Floats  # (jobs,) still to do
    due_s: Floats  # (jobs,) inf: best effort
    rate: Floats  # (jobs, levels)
    counts: Ints  # (jobs, levels) GPUs, ascending; beyond the last level of a job 0
    edges_s: Floats  # (slots + 1,) from 0


class Shares(NamedTuple):
    """`plan[job, slot]` GPUs; `feasible[job]`: it meets its deadline; `free[slot]`: GPUs that nobody plans to use."""

    plan: Ints
    feasible: np.ndarray
    free: Ints


def slot_edges(now_s: float, slot_s: float, until_s: float) -> Floats:
    """(slots + 1,) ends of slots from now on. Slots end at multiples of `slot_s`: the first may be shorter."""
    first = np.floor(now_s / slot_s)
    last = max(first + 1, np.ceil(until_s / slot_s))
    edges_s: Floats = np.maximum(0.0, np.arange(first, last + 1) * slot_s - now_s)
    return edges_s


def minimum_shares(demands: Demands, gpus: int) -> Shares:
    """Progressive filling, deadline by deadline. A job that cannot make it, and best effort, gets no plan."""
    slots, jobs = len(demands.edges_s) - 1, len(demands.work)
    free = np.full(slots, gpus, np.int64)
    plan, feasible = np.zeros((jobs, slots), np.int64), np.zeros(jobs, np.bool_)
    fill_in_turn(demands, free, plan, feasible)
    return Shares(plan, feasible, free)


def join(demands: Demands, shares: Shares, job: int) -> bool:
    """Plan one job more in what the others leave; False, and no change, where that is not enough."""
    free = shares.free.copy()
    if fill(demands, job, demands.work[job], 0, free, shares.plan[job]) < 0:
        shares.plan[job] = 0
        return False
    shares.free[:] = free - shares.plan[job]
    shares.feasible[job] = True
    return True


def kept_shares(demands: Demands, rows: Ints, gpus: int) -> Shares:
    """The plans `rows` (jobs, slots) as far as they still lead to the deadlines with so many GPUs; else no plan."""
    free = np.full(rows.shape[1], gpus, np.int64)
    plan, feasible = np.zeros_like(rows), np.zeros(len(rows), np.bool_)
    for job, row in enumerate(rows):
        if (row <= free).all() and work_of(demands, job, row) >= demands.work[job] * (1 - ROUNDING):
            plan[job], feasible[job] = row, True
            free -= row
    return Shares(plan, feasible, free)


def work_of(demands: Demands, job: int, row: Ints) -> float:
    """Work that a plan does until the deadline."""
    rate = np.zeros(int(demands.counts[job].max()) + 1)
    rate[demands.counts[job]] = np.where(demands.counts[job] > 0, demands.rate[job], 0.0)
    return float((rate[row] * np.diff(np.minimum(demands.edges_s, demands.due_s[job]))).sum())


def slots_alike(shares: Shares) -> int:
    """For how many slots from now on nobody's planned count changes; 1 or more."""
    changes = (shares.plan != shares.plan[:, :1]).any(axis=0)
    return int(np.argmax(changes)) if changes.any() else max(1, len(changes))


@kernel
def fill_in_turn(d: Demands, free: Ints, plan: Ints, feasible: np.ndarray) -> None:
    for job in range(len(d.work)):
        if d.due_s[job] == np.inf:
            continue
        feasible[job] = fill(d, job, d.work[job], 0, free, plan[job]) >= 0
        for slot in range(len(free)):
            if feasible[job]:
                free[slot] -= plan[job, slot]
            else:
                plan[job, slot] = 0


@inner
def levels_of(d: Demands, job: int) -> int:
    """How many levels a job has."""
    level = 0
    while level < d.counts.shape[1] and d.counts[job, level] > 0:
        level += 1
    return level


@inner
def level_within(d: Demands, job: int, most: int, gpus: int) -> int:
    """The highest level of a job up to `most` with at most `gpus`; -1 where there is none."""
    level = most
    while level >= 0 and d.counts[job, level] > gpus:
        level -= 1
    return level


@kernel
def fill(d: Demands, job: int, work: float, first: int, free: Ints, row: Ints) -> float:
    """Write the cheapest plan from slot `first` on into `row`: as low a level as meets the deadline.

    From slot `turn` on the job uses that level, before it the one below. Returns GPU-seconds, -1: no level will do.
    """
    end = first
    while end < len(free) and d.edges_s[end] < d.due_s[job]:
        end += 1
    for level in range(levels_of(d, job)):
        left, turn = work, end
        while turn > first and left > ROUNDING * work:
            turn -= 1
            used = level_within(d, job, level, free[turn])
            if used >= 0:
                left -= d.rate[job, used] * (min(d.edges_s[turn + 1], d.due_s[job]) - d.edges_s[turn])
        if left <= ROUNDING * work:
            return write_plan(d, job, work, first, turn, end, level, free, row)
    return -1.0


@inner
def write_plan(
    d: Demands, job: int, work: float, first: int, turn: int, end: int, level: int, free: Ints, row: Ints
) -> float:
    """Go forward from slot `first` until the work is done; returns GPU-seconds."""
    spent, left = 0.0, work
    for slot in range(first, len(row)):
        row[slot] = 0
        used = level_within(d, job, level if slot >= turn else level - 1, free[slot])
        if slot >= end or used < 0 or left <= ROUNDING * work:
            continue
        took_s = min(left / d.rate[job, used], d.edges_s[slot + 1] - d.edges_s[slot])
        row[slot] = d.counts[job, used]
        spent += took_s * row[slot]
        left -= took_s * d.rate[job, used]
    return spent


def top_up(demands: Demands, shares: Shares, spare: int, joining: np.ndarray) -> Ints:
    """(jobs,) GPUs now: the planned ones, and spare ones step by step to whoever wastes least GPU-time by them.

    joining (jobs,): who takes part. Those that would hold nothing come first, then the least growth of GPU-time for
    each GPU more; ties go by deadline.
    """
    levels = np.full(len(demands.work), -1, np.int64)
    for job, count in enumerate(shares.plan[:, 0].tolist()):
        if count:
            levels[job] = int(np.argmax(demands.counts[job] == count))
    deal(demands, shares.free.copy(), shares.plan.copy(), slots_alike(shares), spare, joining, levels)
    return np.where(levels >= 0, demands.counts[np.arange(len(levels)), levels], 0)


@allocating
def deal(d: Demands, free: Ints, plan: Ints, ahead: int, spare: int, joining: np.ndarray, levels: Ints) -> None:
    """Raise `levels` (jobs,) until no GPU is left or nobody can use one; `ahead`: slots until the next event."""
    jobs = len(levels)
    growth, scratch = np.full(jobs, np.inf), np.zeros(len(free), np.int64)
    stale = joining.copy()
    while spare > 0:
        best = -1
        for job in range(jobs):
            step = next_step(d, job, levels[job])
            if not joining[job] or step == 0 or step > spare:
                continue
            if stale[job]:
                growth[job] = growth_of(d, job, levels[job], ahead, free, plan[job], scratch)
                stale[job] = False
            if growth[job] < np.inf and (best < 0 or comes_before(levels, growth, job, best)):
                best = job
        if best < 0:
            break
        spare -= next_step(d, best, levels[best])
        levels[best] += 1
        stale[best] = True


@inner
def comes_before(levels: Ints, growth: Floats, job: int, other: int) -> bool:
    if (levels[job] < 0) != (levels[other] < 0):
        return bool(levels[job] < 0)
    return bool(growth[job] < growth[other])


@inner
def next_step(d: Demands, job: int, level: int) -> int:
    """GPUs more at the next level, 0 at the last."""
    if level + 1 >= levels_of(d, job):
        return 0
    return int(d.counts[job, level + 1] - (d.counts[job, level] if level >= 0 else 0))


@inner
def growth_of(d: Demands, job: int, level: int, ahead: int, free: Ints, row: Ints, scratch: Ints) -> float:
    """GPU-seconds more for each GPU more, if the job is one level up until the next event."""
    for slot in range(len(free)):
        free[slot] += row[slot]
    after = cost_of(d, job, level + 1, ahead, free, scratch)
    before = cost_of(d, job, level, ahead, free, scratch)
    for slot in range(len(free)):
        free[slot] -= row[slot]
    if after < 0:
        return np.inf
    return (after - max(0.0, before)) / next_step(d, job, level)


@inner
def cost_of(d: Demands, job: int, level: int, ahead: int, free: Ints, scratch: Ints) -> float:
    """GPU-seconds of the whole job with `level` until the next event; -1 where its deadline is then lost."""
    rate = float(d.rate[job, level]) if level >= 0 else 0.0
    gpus = int(d.counts[job, level]) if level >= 0 else 0
    work, until_s = float(d.work[job]), float(d.edges_s[ahead])
    if rate * until_s >= work:
        return gpus * work / rate
    left = work - rate * until_s
    if d.due_s[job] == np.inf:
        return gpus * until_s + float(d.counts[job, 0] / d.rate[job, 0]) * left
    rest = fill(d, job, left, ahead, free, scratch)
    return gpus * until_s + rest if rest >= 0 else -1.0
