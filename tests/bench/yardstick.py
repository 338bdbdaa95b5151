"""Bare loops: the same queue discipline on nameless equal GPUs, one a job, nothing recorded but the ends of jobs.

No nodes, no gangs, no accounts, no policy: what the machine can do at best.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from simulation.engine.kernels.heap import pop, push
from simulation.records import Floats, Ints


@njit(cache=True)
def shortest_first(
    submit_s: Floats, duration_s: Floats, servers: int, end_s: Floats, wait_s: Floats, wait: Ints, due_s: Floats,
    due: Ints,
) -> int:  # fmt: skip
    """Non-preemptive: a priority queue of waiting jobs, a heap of completions. Returns the number of events."""
    n = len(submit_s)
    arrived = waiting = busy = events = 0
    while arrived < n or busy > 0:
        if busy > 0 and (arrived == n or due_s[0] <= submit_s[arrived]):
            t = due_s[0]
            end_s[due[0]] = t
            pop(due_s, due, busy)
            busy -= 1
        else:
            t = submit_s[arrived]
            push(wait_s, wait, waiting, duration_s[arrived], arrived)
            waiting += 1
            arrived += 1
        events += 1
        while waiting > 0 and busy < servers:
            job = wait[0]
            pop(wait_s, wait, waiting)
            waiting -= 1
            push(due_s, due, busy, t + duration_s[job], job)
            busy += 1
    return events


@njit(cache=True)
def shortest_remaining(submit_s: Floats, servers: int, left_s: Floats, end_s: Floats, active: Ints) -> int:
    """Preemptive: at each event all jobs present are brought up to date and sorted, the first `servers` run."""
    n = len(submit_s)
    arrived = present = events = 0
    now_s = 0.0
    while arrived < n or present > 0:
        runs = min(present, servers)
        next_s = submit_s[arrived] if arrived < n else np.inf
        for i in range(runs):
            next_s = min(next_s, now_s + left_s[active[i]])
        kept = 0
        for i in range(present):
            job = active[i]
            if i < runs:
                left_s[job] = 0.0 if now_s + left_s[job] == next_s else left_s[job] - (next_s - now_s)
            if left_s[job] > 0.0:
                active[kept] = job
                kept += 1
            else:
                end_s[job] = next_s
                events += 1
        present = kept
        now_s = next_s
        while arrived < n and submit_s[arrived] == now_s:
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
    return events
