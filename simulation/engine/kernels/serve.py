"""Compiled request kernel: batches of one service leave a FIFO queue for the replica that is free first.

Replicas are a binary heap, ordered by (instant when free, slot). No policy in here.
With the compiler switched off (NUMBA_DISABLE_JIT=1) the same functions run as plain Python and give the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.heap import sift_down

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def serve(
    until_s: float,
    not_before_s: float,
    head: int,
    busy_s: float,
    arrivals_s: Floats,
    since_s: Floats,
    work: Floats,
    batch_max: int,
    timeout_s: float,
    alpha_s: float,
    beta_s: float,
    free_s: Floats,
    slots: Ints,
    ready_s: Floats,
    asked_s: Floats,
    latest: Ints,
    start_s: Floats,
    waits: Floats,
    execute_s: Floats,
    batch: Ints,
) -> tuple[int, float]:
    """Start every batch whose start is from `not_before_s` to `until_s`; returns the new queue head and busy seconds.

    arrivals_s (n,) ascending from the head on; since_s (n,): when its present wait began; work (n,) or empty. The heap:
    free_s and slots (c,); by slot: ready_s, asked_s, and latest, the first member of its latest batch.
    Written per request: start_s (n,), waits (3, n) as queue, batch wait, load, execute_s (n,), and batch (n,): the
    size of the batch at its first member, 0 at the others.
    """
    n = arrivals_s.shape[0]
    while head < n and len(slots) > 0:
        full_s = arrivals_s[head + batch_max - 1] if head + batch_max <= n else np.inf
        begin = max(min(full_s, arrivals_s[head] + timeout_s), free_s[0], not_before_s)
        if begin > until_s or begin == np.inf:
            break
        size = 0
        load = 0.0
        while size < batch_max and head + size < n and arrivals_s[head + size] <= begin:
            load += work[head + size] if work.shape[0] > 0 else 1.0
            size += 1
        takes = alpha_s + beta_s * load
        free, ready, asked = free_s[0], ready_s[slots[0]], asked_s[slots[0]]
        for i in range(head, head + size):
            a = since_s[i]
            start_s[i] = begin
            execute_s[i] = takes
            waits[0, i] = max(0.0, asked - a) + max(0.0, free - max(a, ready))
            waits[1, i] = begin - max(a, free)
            waits[2, i] = max(0.0, ready - max(a, asked))
        batch[head] = size
        latest[slots[0]] = head
        busy_s += takes
        free_s[0] = begin + takes
        sift_down(free_s, slots, len(slots), free_s[0], slots[0])
        head += size
    return head, busy_s


@kernel
def busy_between(
    from_s: float, to_s: float, first: int, head: int, start_s: Floats, execute_s: Floats, batch: Ints
) -> float:
    """Seconds of execution inside [from_s, to_s], summed over the batches of requests first..head-1."""
    total = 0.0
    for i in range(first, head):
        if batch[i] > 0:
            total += max(0.0, min(to_s, start_s[i] + execute_s[i]) - max(from_s, start_s[i]))
    return total
