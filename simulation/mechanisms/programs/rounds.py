"""Rounds that keep promises: jobs run where they are furthest behind the share of the time that they were promised.

Run time on a type over all run time there is what a job has received; promised over received is its priority. Promises
are renewed only now and then; what they owe then is the deficit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner, kernel
from simulation.records import Floats, Ints

PRIORITY_UNRUN = 1e9  # times the share, for a job that received nothing

Bools = NDArray[np.bool_]


class Promises(ByAddress):
    """Shares, run times and deficits of all jobs: arrays (jobs, types), unless it says otherwise."""

    share: Floats
    ran_s: Floats
    deficit_s: Floats
    promised: Bools  # (jobs,)
    total_s: Floats  # (types,)
    renewed_s: Floats  # (1,)
    credit_s: float  # what a job counts as having run on each type when it comes, and when promises are renewed
    keys: Floats  # (jobs, 3) scratch
    heap: Ints  # (jobs,) scratch

    def admit(self, jobs: Ints) -> None:
        self.ran_s[jobs] = self.credit_s
        self.total_s[:] += self.credit_s * len(jobs)

    def settle(self, live: Ints, now_s: float) -> None:
        """Before a renewal: what was promised since the last one and not received is owed."""
        owed = self.share[live] * (now_s - self.renewed_s[0])
        self.deficit_s[live] += owed - (self.ran_s[live] - self.credit_s)
        self.ran_s[live] = self.credit_s
        self.total_s[:] = self.credit_s * len(live)
        self.renewed_s[0] = now_s

    def renew(self, live: Ints, share: Floats) -> None:
        """New promises (live, types)."""
        self.share[live] = share
        self.promised[live] = True

    def choose(self, live: Ints, gang: Ints, may: Bools, order: Sequence[int], gpus: Ints) -> Ints:
        """(live,) the type on which each job runs in this round; -1: none.

        gang (jobs,); may (jobs, types): where a job may run; order: types, the first to be handed out first.
        """
        kinds = np.full(len(live), -1, np.int64)
        choose(self, live, len(live), gang, may, np.array(order, np.int64), gpus, kinds)
        return kinds


def make_promises(jobs: int, types: int, credit_s: float) -> Promises:
    """Nothing is promised, nobody has run."""
    share, ran_s, deficit_s = (np.zeros((jobs, types)) for _ in range(3))
    promised, total_s, renewed_s = np.zeros(jobs, np.bool_), np.zeros(types), np.zeros(1)
    return Promises(
        share, ran_s, deficit_s, promised, total_s, renewed_s, credit_s, np.zeros((jobs, 3)), np.zeros(jobs, np.int64)
    )


@kernel
def charge(b: Promises, job: int, kind: int, seconds: float) -> None:
    """A job has run on a type."""
    b.ran_s[job, kind] += seconds
    b.total_s[kind] += seconds


@kernel
def priority(b: Promises, job: int, kind: int) -> float:
    """Promised over received; 0 for a job that was promised nothing yet."""
    share: float = b.share[job, kind]
    if not b.promised[job] or share == 0.0:
        return 0.0
    received = b.ran_s[job, kind] / b.total_s[kind]
    return share / received if received > 0.0 else share * PRIORITY_UNRUN


@kernel
def choose(
    b: Promises, live: Ints, count: int, gang: Ints, may: Bools, order: Ints, gpus: Ints, kinds: Ints
) -> None:  # fmt: skip
    """As the method, of `live[:count]`, into `kinds[:count]`."""
    for row in range(count):
        kinds[row] = -1
    for kind in order:
        found = wanted = 0
        for row in range(count):
            job = live[row]
            if kinds[row] < 0 and may[job, kind] and gang[job] <= gpus[kind]:
                b.heap[found] = row
                found += 1
                wanted += gang[job]
        if wanted <= gpus[kind]:  # in whatever order
            for i in range(found):
                kinds[b.heap[i]] = kind
        else:
            hand_out(b, live, found, gang, kind, gpus[kind], kinds)


@inner
def hand_out(b: Promises, live: Ints, found: int, gang: Ints, kind: int, gpus: int, kinds: Ints) -> None:
    """GPUs of one type to the rows in `heap`, the first in front, passing over those that do not fit any more."""
    for i in range(found):
        row = b.heap[i]
        job = live[row]
        b.keys[row, 0] = priority(b, job, kind)
        b.keys[row, 1], b.keys[row, 2] = b.deficit_s[job, kind], b.share[job, kind]
    for place in range(found // 2 - 1, -1, -1):
        sift(b, place, found, b.heap[place])
    while found > 0 and gpus > 0:
        row = b.heap[0]
        if gang[live[row]] <= gpus:
            kinds[row] = kind
            gpus -= gang[live[row]]
        found -= 1
        sift(b, 0, found, b.heap[found])


@inner
def sift(b: Promises, place: int, count: int, row: int) -> None:
    """Put `row` into the heap of `count` rows at `place` or below."""
    while True:
        child = 2 * place + 1
        if child + 1 < count and in_front(b, b.heap[child + 1], b.heap[child]):
            child += 1
        if child >= count or in_front(b, row, b.heap[child]):
            break
        b.heap[place] = b.heap[child]
        place = child
    b.heap[place] = row


@inner
def in_front(b: Promises, row: int, other: int) -> bool:
    """By priority, deficit, share, and in the order of rows."""
    for key in range(3):
        if b.keys[row, key] != b.keys[other, key]:
            return bool(b.keys[row, key] > b.keys[other, key])
    return row < other
