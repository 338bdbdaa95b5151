"""EASY backfill: the first job that does not fit gets a reservation; later ones may start if they do not delay it."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.place import PER_JOB, place
from simulation.engine.kernels.walk import WorkingCopy, begin_fill, copy, over_quota
from simulation.engine.plan import PIECES, Plan
from simulation.engine.state import FREE_GPUS, RUNNING_COUNT, WAITING, State
from simulation.records import Floats, Ints


@inner
def shadow_s(s: State, p: Plan, job: int, rule: int, free: Ints, ends_s: Floats) -> float:
    """When `job` can start if running jobs end at `ends_s` (their order, ascending).

    `free` becomes what is then left beside it, (nodes,). inf, and `free` all released, where it never fits.
    """
    mark = p.tally[PIECES]
    for i in range(s.tally[RUNNING_COUNT]):
        entry = s.first_entry[s.running[i]]
        while entry >= 0:
            free[s.entry_node[entry]] += s.entry_gpus[entry]
            entry = s.entry_next[entry]
        last_of_instant = i + 1 == s.tally[RUNNING_COUNT] or ends_s[i + 1] > ends_s[i]
        if last_of_instant and place(s, free, p, job, s.gang[job], rule):
            p.tally[PIECES] = mark
            start_s: float = ends_s[i]
            return start_s
    return np.inf


@kernel
def backfill(
    s: State, order: Ints, n: int, expected_s: Floats, ends_s: Floats, now_s: float, rule: int, limit: Floats,
    w: WorkingCopy, p: Plan,
) -> None:  # fmt: skip
    """Write into `p` the starts among `order[:n]`, with the expected run times of all jobs in `expected_s`.

    A job beyond its tenant's quota is passed over and gets no reservation: GPUs are not what it waits for. Of `failed`
    bit 1 says that a gang of the kind does not fit now, bit 2 that it does not fit beside the reservation.
    """
    begin_fill(s, w)
    copy(s.free, w.reach)
    free, spare, used, failed = w.free, w.reach, w.used, w.failed
    free_gpus = s.tally[FREE_GPUS]
    reserved_s = -1.0
    for i in range(n):
        job = order[i]
        gang, tenant, klass = s.gang[job], s.tenant[job], s.klass[job]
        if free_gpus == 0:
            return
        if s.phase[job] != WAITING or over_quota(used[tenant], gang, limit[tenant]):
            continue
        open_ended = reserved_s < 0.0 or now_s + expected_s[job] <= reserved_s
        bit = 1 if open_ended else 2
        mark = p.tally[PIECES]
        room = free if open_ended else spare
        if gang <= free_gpus and not failed[klass, gang] & bit and place(s, room, p, job, gang, rule):
            used[tenant] += gang
            free_gpus -= gang
            for k in range(mark, p.tally[PIECES]):
                if not open_ended:
                    free[p.node[k]] -= p.gpus[k]
                spare[p.node[k]] = min(spare[p.node[k]], free[p.node[k]])
            continue
        if gang < failed.shape[1] and rule != PER_JOB:
            failed[klass, gang] |= bit
        if reserved_s < 0.0:
            # jobs started in this very decision are taken to hold their GPUs beyond the reservation
            for node in range(len(free)):
                spare[node] = free[node]
            reserved_s = shadow_s(s, p, job, rule, spare, ends_s)
            for node in range(len(free)):
                spare[node] = min(spare[node], free[node])
            for k in range(failed.shape[0]):
                for size in range(failed.shape[1]):
                    failed[k, size] &= 1
