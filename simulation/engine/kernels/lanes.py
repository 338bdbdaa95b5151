"""Waiting jobs in lanes, each a heap or a line, of which a walk needs the heads alone.

A lane holds jobs of which, when one cannot start, none behind it is asked in this decision: the whole queue where the
head blocks, the jobs of a tenant where its head blocks that tenant, else the gangs of one kind (and of one tenant,
where quotas tell tenants apart). So a decision costs its starts and the number of lanes, however many jobs wait.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.order import FIXED, Order
from simulation.engine.kernels.place import PER_JOB
from simulation.engine.kernels.queue import before
from simulation.engine.kernels.walk import STOP_AT_HEAD, STOP_AT_TENANT_HEAD
from simulation.engine.state import State
from simulation.records import Floats, Ints

Bools = NDArray[np.bool_]
Numbers = NDArray[np.int32]


class Lanes(ByAddress):
    """J jobs, L lanes, K kinds (class, gang size, own placement rule).

    Lane l is `filled[l]` of `job`, from `start[l] + gone[l]` on.
    """

    lane: Numbers  # (J,) fixed
    kind: Numbers  # (J,) fixed
    fixed: bool  # whether keys are what they were in the beginning
    first: Floats  # (J,) keys of waiting jobs
    second: Floats  # (J,)
    start: Ints  # (L + 1,) fixed
    in_turn: bool  # a lane is a line, in order as it stands, for jobs come in their order; else a heap
    gone: Ints  # (L,) from the front of a line
    filled: Ints  # (L,)
    job: Ints  # (J,)
    failed: Bools  # (K,) such a gang has not fitted, so its like will not either until GPUs are freed
    # of one decision
    head: Ints  # (L,) heap of the heads of open lanes, `heads[0]` of them
    heads: Ints  # (1,)
    closed: Bools  # (L,)


@kernel
def kind_keys(s: State, widest: int, key: Numbers) -> None:
    """Write a number for each job: the same for the same class, gang size and placement rule of its own."""
    for job in range(len(key)):
        key[job] = (s.klass[job] * (widest + 1) + s.gang[job]) * (PER_JOB + 1) + s.rule[job]


@kernel
def renumber(key: Numbers, number: Ints) -> int:
    """Replace each key by its place among those that there are; `number` (keys,) zeros. Returns how many there are."""
    for job in range(len(key)):
        number[key[job]] = 1
    count = 0
    for i in range(len(number)):
        number[i], count = count, count + number[i]
    for job in range(len(key)):
        key[job] = number[key[job]]
    return count


def make_lanes(s: State, walk: int, limit: Floats, order: Order, returns: bool) -> Lanes:
    """Empty lanes with room for every job. `returns`: running jobs are often sent back to wait."""
    n, tenants = len(s.gang), len(limit)
    widest = int(s.gang.max(initial=0))
    kind: Numbers = np.empty(n, np.int32)
    lane: Numbers = np.zeros(n, np.int32)
    kind_keys(s, widest, kind)
    kinds = renumber(kind, np.zeros(len(s.class_domains) * (widest + 1) * (PER_JOB + 1), np.int64))
    if walk == STOP_AT_TENANT_HEAD:
        lane[:] = s.tenant
    elif walk != STOP_AT_HEAD:
        lane = kind * np.int32(tenants) + s.tenant.astype(np.int32) if np.isfinite(limit).any() else kind.copy()
    lanes = renumber(lane, np.zeros(max(1, kinds * tenants), np.int64))
    fixed = order.op == FIXED
    room = np.bincount(lane, minlength=lanes)
    return Lanes(
        lane=lane, kind=kind, fixed=fixed,
        first=order.values if fixed else np.zeros(n), second=np.zeros(n), start=np.cumsum([0, *room.tolist()]),
        in_turn=fixed and not returns and bool((np.diff(order.values) >= 0).all()),
        gone=np.zeros(lanes, np.int64), filled=np.zeros(lanes, np.int64), job=np.zeros(n, np.int64),
        failed=np.zeros(kinds, np.bool_), head=np.zeros(lanes + 1, np.int64), heads=np.zeros(1, np.int64),
        closed=np.zeros(lanes, np.bool_),
    )  # fmt: skip


@inner
def sooner(q: Lanes, a: int, b: int) -> bool:
    return before(q.first[a], q.second[a], a, q.first[b], q.second[b], b)


@inner
def push(q: Lanes, heap: Ints, start: int, count: int, job: int) -> None:
    """Put `job` into the heap of `count` jobs that begins at `start`; the caller counts."""
    hole = count
    while hole > 0:
        parent = (hole - 1) >> 1
        if not sooner(q, job, heap[start + parent]):
            break
        heap[start + hole] = heap[start + parent]
        hole = parent
    heap[start + hole] = job


@inner
def sift(q: Lanes, heap: Ints, start: int, count: int, job: int) -> None:
    """Put `job` in the place of the first of `count` jobs, and restore the heap."""
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= count:
            break
        if child + 1 < count and sooner(q, heap[start + child + 1], heap[start + child]):
            child += 1
        if not sooner(q, heap[start + child], job):
            break
        heap[start + hole] = heap[start + child]
        hole = child
    heap[start + hole] = job


@inner
def enter(q: Lanes, job: int, first: float, second: float) -> None:
    """`job` waits, with these keys."""
    if not q.fixed:
        q.first[job], q.second[job] = first, second
    lane = q.lane[job]
    if q.in_turn:
        line_up(q, lane, job)
    else:
        push(q, q.job, q.start[lane], q.filled[lane], job)
    q.filled[lane] += 1


@inner
def line_up(q: Lanes, lane: int, job: int) -> None:
    """Put `job` in its place in a line: the last, unless it comes back."""
    if q.start[lane] + q.gone[lane] + q.filled[lane] == q.start[lane + 1]:
        move_up(q, lane)
    front = q.start[lane] + q.gone[lane]
    at = front + q.filled[lane]
    while at > front and sooner(q, job, q.job[at - 1]):
        q.job[at] = q.job[at - 1]
        at -= 1
    q.job[at] = job


@inner
def move_up(q: Lanes, lane: int) -> None:
    """A line has come to the end of its room, of which the front is free."""
    start, gone = q.start[lane], q.gone[lane]
    for i in range(start, start + q.filled[lane]):
        q.job[i] = q.job[i + gone]
    q.gone[lane] = 0


@inner
def first_of(q: Lanes, lane: int) -> int:
    return int(q.job[q.start[lane] + q.gone[lane]])


@inner
def leave(q: Lanes, lane: int) -> None:
    """The head of a lane waits no longer."""
    start, last = q.start[lane], q.filled[lane] - 1
    q.filled[lane] = last
    if q.in_turn:
        q.gone[lane] += 1
    elif last > 0:
        sift(q, q.job, start, last, q.job[start + last])


@inner
def forget_failures(q: Lanes) -> None:
    """GPUs have been freed: gangs of every kind may fit."""
    for kind in range(len(q.failed)):
        q.failed[kind] = False


@inner
def open_heads(q: Lanes) -> None:
    """Begin a decision: every lane is open, but those whose heads will not fit."""
    q.heads[0] = 0
    for lane in range(len(q.filled)):
        q.closed[lane] = False
        if q.filled[lane] > 0 and not q.failed[q.kind[first_of(q, lane)]]:
            push(q, q.head, 0, q.heads[0], first_of(q, lane))
            q.heads[0] += 1


@inner
def drop_head(q: Lanes) -> None:
    """The lane of the first head is asked no more in this decision."""
    q.heads[0] -= 1
    if q.heads[0] > 0:
        sift(q, q.head, 0, q.heads[0], q.head[q.heads[0]])


@inner
def next_head(q: Lanes) -> None:
    """The first head has started: the next of its lane is asked in its turn."""
    lane = q.lane[q.head[0]]
    leave(q, lane)
    if q.filled[lane] > 0:
        sift(q, q.head, 0, q.heads[0], first_of(q, lane))
    else:
        drop_head(q)
