"""Waiting jobs take free GPUs in order, nothing is taken from anyone: the walk of recipes without preemption."""

from __future__ import annotations

from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.place import PER_JOB, place
from simulation.engine.kernels.walk import STOP_AT_HEAD, STOP_AT_TENANT_HEAD, WorkingCopy, begin_fill, over_quota
from simulation.engine.plan import Plan
from simulation.engine.state import FREE_GPUS, WAITING, State
from simulation.records import Floats, Ints


@kernel
def fill(s: State, order: Ints, n: int, walk: int, rule: int, limit: Floats, w: WorkingCopy, p: Plan) -> None:
    """Write into `p` the starts among `order[:n]`; `walk` is its opcode, `limit` (tenants,) GPUs."""
    free_gpus = s.tally[FREE_GPUS]
    if free_gpus == 0:
        return
    begin_fill(s, w)
    still_open = 0
    for waiting in s.waiting_of:
        still_open += waiting > 0
    for i in range(n):
        job = order[i]
        gang, tenant = s.gang[job], s.tenant[job]
        if s.phase[job] != WAITING or (walk == STOP_AT_TENANT_HEAD and w.blocked[tenant]):
            continue
        allowed = not over_quota(w.used[tenant], gang, limit[tenant])
        fits = allowed and gang <= free_gpus and not w.failed[s.klass[job], gang]
        if fits and place(s, w.free, p, job, gang, rule):
            w.used[tenant] += gang
            free_gpus -= gang
            if free_gpus == 0:
                return
            continue
        if fits and rule != PER_JOB:
            w.failed[s.klass[job], gang] = 1
        if walk == STOP_AT_HEAD:
            return
        if not w.blocked[tenant]:
            w.blocked[tenant] = True
            still_open -= 1
        if walk == STOP_AT_TENANT_HEAD and still_open == 0:
            return
