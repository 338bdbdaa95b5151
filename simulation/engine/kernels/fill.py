"""Waiting jobs take free GPUs in order, nothing is taken from anyone: the walk of recipes without preemption."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner
from simulation.engine.kernels.place import PER_JOB, place
from simulation.engine.plan import Plan
from simulation.engine.state import FREE_GPUS, WAITING, State
from simulation.records import Floats, Ints

# Opcodes of walks (mechanisms.walk documents them)
STOP_AT_HEAD, STOP_AT_TENANT_HEAD, FIT_FIRST = range(3)


@inner
def over_quota(used: float, gang: int, limit: float) -> bool:
    """A job above its tenant's whole quota may run when the tenant holds nothing else: nobody is shut out for ever."""
    return used > 0 and used + gang > limit


@allocating
def held_by_tenant(s: State, tenants: int) -> Floats:
    """GPUs that running jobs of each tenant hold."""
    used = np.zeros(tenants)
    for tenant in range(tenants):
        used[tenant] = s.held_of[tenant]
    return used


@allocating
def kinds(s: State) -> Ints:
    """One flag for each (class, gang size): set once such a gang has not fitted, for then its like will not either."""
    widest = 0
    for gang in s.size:
        widest += gang
    return np.zeros((len(s.class_domains), widest + 1), np.int64)


@allocating
def fill(s: State, order: Ints, n: int, walk: int, rule: int, limit: Floats, failed: Ints, p: Plan) -> None:
    """Write into `p` the starts among `order[:n]`; `limit` (tenants,) GPUs; `failed` from `kinds`, cleared here."""
    if s.tally[FREE_GPUS] == 0:
        return
    failed[:] = 0
    used, blocked = held_by_tenant(s, len(limit)), np.zeros(len(limit), np.int64)
    fill_on(s, order, n, walk, rule, limit, failed, p, s.free.copy(), used, blocked)


@inner
def fill_on(
    s: State, order: Ints, n: int, walk: int, rule: int, limit: Floats, failed: Ints, p: Plan,
    free: Ints, used: Floats, blocked: Ints,
) -> None:  # fmt: skip
    """As `fill`, on working copies: free GPUs (nodes,), GPUs held and whether the head has not fitted (tenants,)."""
    free_gpus = s.tally[FREE_GPUS]
    still_open = 0
    for waiting in s.waiting_of:
        still_open += waiting > 0
    for i in range(n):
        job = order[i]
        gang, tenant = s.gang[job], s.tenant[job]
        if s.phase[job] != WAITING or (walk == STOP_AT_TENANT_HEAD and blocked[tenant]):
            continue
        allowed = not over_quota(used[tenant], gang, limit[tenant])
        fits = allowed and gang <= free_gpus and not failed[s.klass[job], gang]
        if fits and place(s, free, p, job, gang, rule):
            used[tenant] += gang
            free_gpus -= gang
            if free_gpus == 0:
                return
            continue
        if fits and rule != PER_JOB:
            failed[s.klass[job], gang] = 1
        if walk == STOP_AT_HEAD:
            return
        if not blocked[tenant]:
            blocked[tenant] = 1
            still_open -= 1
        if walk == STOP_AT_TENANT_HEAD and still_open == 0:
            return
