"""Running and waiting jobs in one order: who should run, and whose GPUs are taken for it.

A job takes free GPUs if it can; else those of jobs behind it, the last in the order first, until it fits. A job whose
GPUs were set free but are still there when its turn comes keeps them and notices nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from simulation.engine.kernels.fill import STOP_AT_HEAD, STOP_AT_TENANT_HEAD, over_quota
from simulation.engine.kernels.place import TAKE_ANY, place
from simulation.engine.plan import STOPS, Plan
from simulation.engine.state import FREE_GPUS, RUNNING, State
from simulation.records import Floats, Ints


@njit(cache=True)
def set_free(s: State, free: Ints, job: int, sign: int) -> None:
    """Add (sign 1) the pieces of a running job to the working copy, or take them back (sign -1)."""
    entry = s.first_entry[job]
    while entry >= 0:
        free[s.entry_node[entry]] += sign * s.entry_gpus[entry]
        entry = s.entry_next[entry]


@njit(cache=True)
def still_there(s: State, free: Ints, job: int) -> bool:
    """Whether the pieces of a job that was set free are still free."""
    entry = s.first_entry[job]
    while entry >= 0:
        if free[s.entry_node[entry]] < s.entry_gpus[entry]:
            return False
        entry = s.entry_next[entry]
    return True


@njit(cache=True)
def helps(s: State, free: Ints, job: int, gang: int) -> bool:
    """Whether the pieces just set free may be what a gang was missing: room for all of it, or a whole node."""
    entry = s.first_entry[job]
    while entry >= 0:
        node = s.entry_node[entry]
        if free[node] >= gang or free[node] == s.size[node]:
            return True
        entry = s.entry_next[entry]
    return False


class Walk(NamedTuple):
    """Working copy of one decision."""

    free: Ints  # (nodes,)
    used: Floats  # (tenants,) GPUs of jobs that will run, as far as the walk has come
    blocked: Ints  # (tenants,)
    released: Ints  # (order,) 1: set free for another; the job may still keep its GPUs
    total: Ints  # FREE, BEHIND, TAIL


FREE, BEHIND, TAIL = range(3)  # free GPUs; preemptible GPUs not reached and not set free; where the set free begin


@njit(cache=True)
def take_over(s: State, order: Ints, at: int, w: Walk, rule: int, p: Plan) -> bool:
    """Set jobs behind `at` free, last first, until the gang of `order[at]` is placed; no change if none helps."""
    gang = s.gang[order[at]]
    tail = w.total[TAIL]
    last = at + 1
    while last < tail and (s.phase[order[last]] != RUNNING or not s.preemptible[order[last]]):
        last += 1
    for k in range(tail - 1, at, -1):
        victim = order[k]
        if s.phase[victim] != RUNNING or not s.preemptible[victim]:
            continue
        w.released[k] = 1
        w.total[FREE] += s.held[victim]
        w.total[BEHIND] -= s.held[victim]
        set_free(s, w.free, victim, 1)
        promising = rule == TAKE_ANY or k == last or helps(s, w.free, victim, gang)
        if promising and place(s, w.free, p, order[at], gang, rule):
            w.total[TAIL] = k
            return True
    for k in range(at + 1, tail):
        if w.released[k]:
            w.released[k] = 0
            w.total[FREE] -= s.held[order[k]]
            w.total[BEHIND] += s.held[order[k]]
            set_free(s, w.free, order[k], -1)
    return False


@njit(cache=True)
def keep(s: State, order: Ints, at: int, w: Walk, limit: Floats, p: Plan) -> bool:
    """The turn of a running job: it keeps its GPUs if they are there and its quota allows, else it is stopped."""
    job = order[at]
    held, tenant = s.held[job], s.tenant[job]
    if not w.released[at]:
        w.total[BEHIND] -= held
    allowed = not over_quota(w.used[tenant], held, limit[tenant])
    if allowed and (not w.released[at] or still_there(s, w.free, job)):
        if w.released[at]:
            set_free(s, w.free, job, -1)
            w.total[FREE] -= held
        w.used[tenant] += held
        return True
    if not w.released[at]:
        set_free(s, w.free, job, 1)
        w.total[FREE] += held
    p.stop[p.tally[STOPS]] = job
    p.tally[STOPS] += 1
    return False


@njit(cache=True)
def open_walk(s: State, order: Ints, n: int, tenants: int) -> Walk:
    """Before the first job: what is free, what could be set free, and what nobody may take."""
    blocked, released, total = np.zeros(tenants, np.int64), np.zeros(n, np.int64), np.zeros(3, np.int64)
    w = Walk(s.free.copy(), np.zeros(tenants), blocked, released, total)
    w.total[FREE] = s.tally[FREE_GPUS]
    w.total[TAIL] = n
    for i in range(n):
        job = order[i]
        if s.phase[job] == RUNNING and s.preemptible[job]:
            w.total[BEHIND] += s.held[job]
        elif s.phase[job] == RUNNING:
            w.used[s.tenant[job]] += s.held[job]
    return w


@njit(cache=True)
def rearrange(s: State, order: Ints, n: int, walk: int, rule: int, limit: Floats, failed: Ints, p: Plan) -> None:
    """Write into `p` whom to stop and whom to place among `order[:n]`; quotas and `failed` as in `fill`."""
    failed[:] = 0
    w = open_walk(s, order, n, len(limit))
    head_blocked = False
    for i in range(n):
        job = order[i]
        if s.phase[job] == RUNNING and (not s.preemptible[job] or keep(s, order, i, w, limit, p)):
            continue
        gang, tenant, klass = s.gang[job], s.tenant[job], s.klass[job]
        if head_blocked or (walk == STOP_AT_TENANT_HEAD and w.blocked[tenant]):
            continue
        may = gang <= w.total[FREE] + w.total[BEHIND] and not over_quota(w.used[tenant], gang, limit[tenant])
        if may and not failed[klass, gang]:
            if place(s, w.free, p, job, gang, rule) or take_over(s, order, i, w, rule, p):
                w.used[tenant] += gang
                w.total[FREE] -= gang
                continue
            failed[klass, gang] = 1
        w.blocked[tenant] = 1
        head_blocked = walk == STOP_AT_HEAD
