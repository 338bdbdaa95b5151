"""Many decisions in one call, for recipes whose every stage has a compiled form.

A decision is that of `fill` or `rearrange`, over lanes instead of one long order; a property test holds both to the
same bits. What changes the ledger is shared.
"""

from __future__ import annotations

import numpy as np

from simulation.by_address import ByAddress
from simulation.engine.kernels.advance import advance
from simulation.engine.kernels.apply import apply
from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.lanes import Lanes, drop_head, enter, forget_failures, next_head, open_heads
from simulation.engine.kernels.loss import entry_s
from simulation.engine.kernels.order import Order, next_change_s, running_key, waiting_key
from simulation.engine.kernels.place import place, undo_pieces
from simulation.engine.kernels.queue import before, sort_running
from simulation.engine.kernels.rearrange import begin_walk, keep, may_have, nothing_left, seat
from simulation.engine.kernels.segments import begin_segment, take
from simulation.engine.kernels.walk import PENDING, WorkingCopy, over_quota
from simulation.engine.plan import PIECES, STOPS, Plan
from simulation.engine.state import FREE_GPUS, LOG_ROOM, RUNNING_COUNT, WAITING_COUNT, Log, State
from simulation.records import Floats, Ints


class Desk(ByAddress):
    """What a fused run keeps between decisions, and its working copies."""

    lanes: Lanes
    plan: Plan
    walk: WorkingCopy
    first: Floats  # (running,) keys of running jobs, in their order
    second: Floats
    again: Ints  # jobs preempted since the last decision, `again_count[0]` of them
    again_count: Ints
    wake_s: Floats  # (1,) when the order changes by itself


class Rules(ByAddress):
    """The compiled form of a recipe."""

    order: Order
    preempts: bool
    rule: int
    limit: Floats  # (tenants,) GPUs
    limited: bool  # whether any limit is finite
    most_stalls: int


@inner
def start(s: State, log: Log, p: Plan, job: int, now_s: float) -> None:
    """Put into effect at once that `job` is placed as the plan says, of which nothing is left."""
    count = p.tally[PIECES]
    undo_pieces(s.free, p, 0)
    for i in range(count):
        take(s, job, p.node[i], p.gpus[i])
    begin_segment(s, log, job, now_s, entry_s(s, job))


@inner
def fill_lanes(s: State, log: Log, d: Desk, r: Rules, now_s: float) -> int:
    """As `fill`, each start put into effect at once; how many. What has not fitted will not until GPUs are freed."""
    q, p = d.lanes, d.plan
    begun = 0
    open_heads(q)
    while s.tally[FREE_GPUS] > 0 and q.heads[0] > 0:
        job = q.head[0]
        gang, tenant, kind = s.gang[job], s.tenant[job], q.kind[job]
        if q.failed[kind] or gang > s.tally[FREE_GPUS] or over_quota(s.held_of[tenant], gang, r.limit[tenant]):
            drop_head(q)
        elif place(s, s.free, p, job, gang, r.rule):
            start(s, log, p, job, now_s)
            next_head(q)
            begun += 1
        else:
            q.failed[kind] = True
    return begun


@inner
def sort_by_key(s: State, d: Desk, r: Rules, now_s: float) -> None:
    """Running jobs in their order, with their keys beside them."""
    for i in range(s.tally[RUNNING_COUNT]):
        d.first[i], d.second[i] = running_key(s, r.order, s.running[i], now_s)
    sort_running(s, d.first, d.second)


@inner
def try_seat(s: State, d: Desk, r: Rules, job: int, at: int) -> bool:
    """Place a job whose turn has come; where it cannot be, its lane is closed."""
    q = d.lanes
    if may_have(s, job, d.walk, r.limit) and not q.failed[q.kind[job]]:
        if seat(s, s.running, at, job, d.walk, r.rule, d.plan):
            return True
        q.failed[q.kind[job]] = True
    q.closed[q.lane[job]] = True
    return False


@inner
def rearrange_lanes(s: State, d: Desk, r: Rules, now_s: float) -> None:
    """As `rearrange`: the running jobs in their order, and before each the heads of lanes that come sooner."""
    q, w = d.lanes, d.walk
    n = s.tally[RUNNING_COUNT]
    sort_by_key(s, d, r, now_s)
    begin_walk(s, s.running, n, w)
    forget_failures(q)
    open_heads(q)
    turn = 0
    while not nothing_left(w):
        while q.heads[0] > 0 and q.closed[q.lane[q.head[0]]]:
            drop_head(q)
        waits = q.heads[0] > 0
        if not waits and w.total[PENDING] == 0 and not r.limited:
            return  # the running jobs that are left keep what they have
        job = q.head[0] if waits else -1
        if turn < n and (
            not waits or before(d.first[turn], d.second[turn], s.running[turn], q.first[job], q.second[job], job)
        ):
            job = s.running[turn]
            kept = not s.preemptible[job] or keep(s, s.running, turn, w, r.limit, d.plan)
            if not kept and not q.closed[q.lane[job]]:
                try_seat(s, d, r, job, turn)
            turn += 1
        elif not waits:
            return
        elif try_seat(s, d, r, job, turn - 1):
            next_head(q)


@inner
def take_in(s: State, d: Desk, r: Rules, jobs: Ints, count: int, now_s: float) -> None:
    """Jobs that begin to wait."""
    for i in range(count):
        first, second = waiting_key(s, r.order, jobs[i], now_s)
        enter(d.lanes, jobs[i], first, second)


@inner
def decide(s: State, log: Log, d: Desk, r: Rules, now_s: float, freed: bool) -> int:
    """One decision, in effect; how many jobs started or resumed. `freed`: GPUs, or anything but arrivals."""
    p = d.plan
    take_in(s, d, r, d.again, d.again_count[0], now_s)
    d.again_count[0] = begun = 0
    p.tally[:] = 0
    if freed:
        forget_failures(d.lanes)
    if s.tally[WAITING_COUNT] > 0 and r.preempts:
        rearrange_lanes(s, d, r, now_s)
        if p.tally[PIECES] > 0 or p.tally[STOPS] > 0:
            d.again_count[0], begun = apply(s, log, p, now_s)
            for i in range(d.again_count[0]):
                d.again[i] = s.stopped[i]
    elif s.tally[WAITING_COUNT] > 0 and s.tally[FREE_GPUS] > 0:
        begun = fill_lanes(s, log, d, r, now_s)
    d.wake_s[0] = max(next_change_s(s, r.order, now_s), np.nextafter(now_s, np.inf))
    return begun


@inner
def stalled(s: State, d: Desk, r: Rules) -> bool:
    """Whether a job that was just preempted makes no progress any more."""
    for i in range(d.again_count[0]):  # noqa: SIM110 (a generator does not compile)
        if s.stalls[d.again[i]] > r.most_stalls:
            return True
    return False


@kernel
def run(s: State, log: Log, d: Desk, r: Rules, now_s: float, until_s: float, most: int) -> tuple[float, int, int]:
    """Decide now (unless `now_s` is negative), then at every instant before `until_s`; at most `most` decisions.

    Stops early when the log has no room, or when a job makes no progress. Returns the last instant reached, the
    decisions made, and the jobs started. At `until_s` itself (inf: the end of all events) what happens has happened,
    but the decision is left to the next call.
    """
    made = started = 0
    t, ended = now_s, 0
    while made < most and log.tally[0] + s.tally[LOG_ROOM] <= len(log.owner) and not stalled(s, d, r):
        if made > 0 or now_s < 0.0:
            t, came, ended = advance(s, log, min(until_s, d.wake_s[0]))
            take_in(s, d, r, s.arrived, came, t)
            if t >= until_s or t == np.inf:
                break
        made += 1
        started += decide(s, log, d, r, t, ended > 0 or made == 1)
    return t, made, started
