"""Bare loops that do the same work: gangs on nodes, the same queue discipline, the ends of jobs written down.

No ledger, accounts, spans, pools, tenants or policy: what the machine can do at best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.heap import pop, push
from simulation.records import Floats, Ints


class Bench(NamedTuple):
    """J jobs, N nodes, L lanes. Lane l is the heap of waiting jobs that begins at `start[l]`, keyed by `key`."""

    free: Ints  # (N,)
    node: Ints  # (J,) where a job runs
    lane: Ints  # (J,) of which, when one does not fit, none behind it is asked
    start: Ints  # (L,)
    filled: Ints  # (L,)
    closed: Ints  # (L,)
    wait_s: Floats  # (J,)
    wait: Ints  # (J,)
    due_s: Floats  # (J,) completions
    due: Ints  # (J,)
    end_s: Floats  # (J,)


def make_bench(gang: Ints, sizes: Ints, by_gang: bool) -> Bench:
    """One lane for each gang size, else one for all."""
    n = len(gang)
    lane = np.unique(gang, return_inverse=True)[1].astype(np.int64) if by_gang else np.zeros(n, np.int64)
    room = np.bincount(lane)
    lanes = np.zeros(len(room), np.int64)
    return Bench(
        sizes.copy(), np.zeros(n, np.int64), lane, np.cumsum(room) - room, lanes, lanes.copy(), np.zeros(n),
        np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64), np.zeros(n),
    )  # fmt: skip


@inner
def first_that_fits(free: Ints, gang: int) -> int:
    for node in range(len(free)):
        if free[node] >= gang:
            return node
    return -1


@inner
def first_lane(b: Bench) -> int:
    """The open lane whose head comes first, -1 where there is none."""
    least = -1
    for lane in range(len(b.start)):
        at = b.start[lane]
        if b.filled[lane] > 0 and not b.closed[lane] and (least < 0 or b.wait_s[at] < b.wait_s[b.start[least]]):
            least = lane
    return least


@kernel
def without_preemption(submit_s: Floats, duration_s: Floats, gang: Ints, key: Floats, b: Bench) -> int:
    """By `key`, lower first; a gang goes to the first node with room for all of it. Returns the number of events."""
    n = len(submit_s)
    arrived = busy = events = 0
    while arrived < n or busy > 0:
        if busy > 0 and (arrived == n or b.due_s[0] <= submit_s[arrived]):
            t, job = b.due_s[0], b.due[0]
            b.end_s[job] = t
            b.free[b.node[job]] += gang[job]
            pop(b.due_s, b.due, busy)
            busy -= 1
        else:
            t, job = submit_s[arrived], arrived
            lane = b.lane[job]
            push(b.wait_s[b.start[lane] :], b.wait[b.start[lane] :], b.filled[lane], key[job], job)
            b.filled[lane] += 1
            arrived += 1
        events += 1
        b.closed[:] = 0
        lane = first_lane(b)
        while lane >= 0:
            job = b.wait[b.start[lane]]
            node = first_that_fits(b.free, gang[job])
            if node < 0:
                b.closed[lane] = 1
            else:
                pop(b.wait_s[b.start[lane] :], b.wait[b.start[lane] :], b.filled[lane])
                b.filled[lane] -= 1
                b.free[node] -= gang[job]
                b.node[job] = node
                push(b.due_s, b.due, busy, t + duration_s[job], job)
                busy += 1
            lane = first_lane(b)
    return events


@inner
def give_out(b: Bench, gang: Ints, active: Ints, present: int) -> None:
    """Deal the nodes out anew down the order: where a job runs, -1 where it waits."""
    for i in range(present):
        job = active[i]
        node = b.node[job]
        if node >= 0:
            b.free[node] += gang[job]
    left = b.free.sum()
    for i in range(present):
        job = active[i]
        kept = b.node[job] >= 0 and b.free[b.node[job]] >= gang[job]
        if not kept:
            b.node[job] = first_that_fits(b.free, gang[job]) if left >= gang[job] else -1
        if b.node[job] >= 0:
            b.free[b.node[job]] -= gang[job]
            left -= gang[job]


@kernel
def with_preemption(submit_s: Floats, gang: Ints, left_s: Floats, active: Ints, b: Bench) -> int:
    """By work left, least first: at each event all jobs present are brought up to date, sorted, and dealt nodes."""
    n = len(submit_s)
    arrived = present = events = 0
    now_s = 0.0
    while arrived < n or present > 0:
        next_s = submit_s[arrived] if arrived < n else np.inf
        for i in range(present):
            if b.node[active[i]] >= 0:
                next_s = min(next_s, now_s + left_s[active[i]])
        kept = 0
        for i in range(present):
            job = active[i]
            if b.node[job] >= 0:
                left_s[job] = 0.0 if now_s + left_s[job] == next_s else left_s[job] - (next_s - now_s)
            if left_s[job] > 0.0:
                active[kept] = job
                kept += 1
            else:
                b.end_s[job] = next_s
                b.free[b.node[job]] += gang[job]
                events += 1
        present, now_s = kept, next_s
        while arrived < n and submit_s[arrived] == now_s:
            b.node[arrived] = -1
            active[present] = arrived
            present += 1
            arrived += 1
            events += 1
        for i in range(1, present):
            job, at = active[i], i
            while at > 0 and left_s[job] < left_s[active[at - 1]]:
                active[at] = active[at - 1]
                at -= 1
            active[at] = job
        give_out(b, gang, active, present)
    return events
