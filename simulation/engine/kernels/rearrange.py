"""Running and waiting jobs in one order: who should run, and whose GPUs are taken for it.

A job takes free GPUs if it can; else those of jobs behind it, the last in the order first, until it fits. A job whose
GPUs were set free but are still there when its turn comes keeps them and notices nothing.
"""

from __future__ import annotations

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.place import PER_JOB, TAKE_ANY, in_reach, place
from simulation.engine.kernels.walk import (
    BEHIND,
    FREE,
    PENDING,
    STOP_AT_HEAD,
    STOP_AT_TENANT_HEAD,
    TAIL,
    WorkingCopy,
    copy,
    forget_failures,
    over_quota,
)
from simulation.engine.plan import PIECES, STOPS, Plan
from simulation.engine.state import FREE_GPUS, RUNNING, State
from simulation.records import Floats, Ints


@inner
def set_free(s: State, free: Ints, job: int, sign: int) -> None:
    """Add (sign 1) the pieces of a running job to a working copy, or take them back (sign -1)."""
    entry = s.first_entry[job]
    while entry >= 0:
        free[s.entry_node[entry]] += sign * s.entry_gpus[entry]
        entry = s.entry_next[entry]


@inner
def still_there(s: State, free: Ints, job: int) -> bool:
    """Whether the pieces of a job that was set free are still free."""
    entry = s.first_entry[job]
    while entry >= 0:
        if free[s.entry_node[entry]] < s.entry_gpus[entry]:
            return False
        entry = s.entry_next[entry]
    return True


@inner
def helps(s: State, free: Ints, job: int, gang: int) -> bool:
    """Whether the pieces just set free may be what a gang was missing: room for all of it, or a whole node."""
    entry = s.first_entry[job]
    while entry >= 0:
        node = s.entry_node[entry]
        if free[node] >= gang or free[node] == s.size[node]:
            return True
        entry = s.entry_next[entry]
    return False


@inner
def take_over(s: State, order: Ints, at: int, job: int, w: WorkingCopy, rule: int, p: Plan) -> bool:
    """Set jobs behind place `at` free, last first, until the gang of `job` is placed; no change if none helps."""
    gang = s.gang[job]
    tail = w.total[TAIL]
    last = at + 1
    while last < tail and (s.phase[order[last]] != RUNNING or not s.preemptible[order[last]]):
        last += 1
    for k in range(tail - 1, at, -1):
        victim = order[k]
        if s.phase[victim] != RUNNING or not s.preemptible[victim]:
            continue
        release(s, w, k, victim, 1)
        promising = rule >= TAKE_ANY or k == last or helps(s, w.free, victim, gang)
        if promising and place(s, w.free, p, job, gang, rule):
            w.total[TAIL] = k
            return True
    for k in range(at + 1, tail):
        if w.released[k]:
            release(s, w, k, order[k], -1)
    return False


@inner
def release(s: State, w: WorkingCopy, k: int, job: int, sign: int) -> None:
    """Set the job at place `k` free for another (sign 1), or undo it (sign -1)."""
    w.released[k] = sign == 1
    w.total[PENDING] += sign
    w.total[FREE] += sign * s.held[job]
    w.total[BEHIND] -= sign * s.held[job]
    set_free(s, w.free, job, sign)


@inner
def keep(s: State, order: Ints, at: int, w: WorkingCopy, limit: Floats, p: Plan) -> bool:
    """The turn of a running job: it keeps its GPUs if they are there and its quota allows, else it is stopped."""
    job = order[at]
    held, tenant = s.held[job], s.tenant[job]
    if w.released[at]:
        w.total[PENDING] -= 1
    else:
        w.total[BEHIND] -= held
    allowed = not over_quota(w.used[tenant], held, limit[tenant])
    if allowed and (not w.released[at] or still_there(s, w.free, job)):
        if w.released[at]:
            set_free(s, w.free, job, -1)
            w.total[FREE] -= held
        set_free(s, w.reach, job, -1)
        w.used[tenant] += held
        return True
    if not w.released[at]:
        set_free(s, w.free, job, 1)
        w.total[FREE] += held
    p.stop[p.tally[STOPS]] = job
    p.tally[STOPS] += 1
    return False


@inner
def begin_walk(s: State, order: Ints, n: int, w: WorkingCopy) -> None:
    """Before the first job: what is free, what could be set free, and what nobody may take."""
    copy(s.free, w.free)
    copy(s.free, w.reach)
    w.used[:] = 0.0
    for i in range(n):
        w.released[i] = 0
    w.total[FREE], w.total[BEHIND], w.total[TAIL], w.total[PENDING] = s.tally[FREE_GPUS], 0, n, 0
    for i in range(n):
        job = order[i]
        if s.phase[job] == RUNNING and s.preemptible[job]:
            w.total[BEHIND] += s.held[job]
            set_free(s, w.reach, job, 1)
        elif s.phase[job] == RUNNING:
            w.used[s.tenant[job]] += s.held[job]


@inner
def may_have(s: State, job: int, w: WorkingCopy, limit: Floats) -> bool:
    """Whether the GPUs are there at all, and the quota allows. Once it is false for a job it stays so."""
    gang, tenant = s.gang[job], s.tenant[job]
    there: bool = gang <= w.total[FREE] + w.total[BEHIND]
    return there and not over_quota(w.used[tenant], gang, limit[tenant])


@inner
def seat(s: State, order: Ints, at: int, job: int, w: WorkingCopy, rule: int, p: Plan) -> bool:
    """Place `job` on free GPUs, else on those of jobs behind place `at`; no change where neither is possible."""
    gang, mark = s.gang[job], p.tally[PIECES]
    if not in_reach(s, w.reach, job, gang, rule):
        return False
    if not place(s, w.free, p, job, gang, rule) and not take_over(s, order, at, job, w, rule, p):
        return False
    for i in range(mark, p.tally[PIECES]):
        w.reach[p.node[i]] -= p.gpus[i]
    w.used[s.tenant[job]] += gang
    w.total[FREE] -= gang
    return True


@inner
def nothing_left(w: WorkingCopy) -> bool:
    """Whether the rest of the walk cannot change anything: no GPU to gain, and nobody to be told that he must stop."""
    left: int = w.total[FREE] + w.total[BEHIND] + w.total[PENDING]
    return left == 0


@kernel
def rearrange(s: State, order: Ints, n: int, walk: int, rule: int, limit: Floats, w: WorkingCopy, p: Plan) -> None:
    """Write into `p` whom to stop and whom to place among `order[:n]`; `walk` and `limit` as in `fill`."""
    begin_walk(s, order, n, w)
    forget_failures(w)
    for tenant in range(len(w.blocked)):
        w.blocked[tenant] = False
    head_blocked = False
    for i in range(n):
        if nothing_left(w):
            return
        job = order[i]
        if s.phase[job] == RUNNING and (not s.preemptible[job] or keep(s, order, i, w, limit, p)):
            continue
        if head_blocked or (walk == STOP_AT_TENANT_HEAD and w.blocked[s.tenant[job]]):
            continue
        if may_have(s, job, w, limit) and not w.failed[s.klass[job], s.gang[job]]:
            if seat(s, order, i, job, w, rule, p):
                continue
            w.failed[s.klass[job], s.gang[job]] = rule != PER_JOB
        w.blocked[s.tenant[job]] = True
        head_blocked = walk == STOP_AT_HEAD
