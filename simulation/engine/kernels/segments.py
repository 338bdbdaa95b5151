"""A job takes GPUs, works, and lets them go: the only code that changes holdings and integrates work."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.heap import pop, push
from simulation.engine.state import (
    DONE_COUNT,
    DUE_COUNT,
    FINISHED,
    FREE_ENTRY,
    FREE_GPUS,
    RUNNING,
    RUNNING_COUNT,
    WAITING,
    WAITING_COUNT,
    Log,
    State,
)


@kernel
def take(s: State, job: int, node: int, gpus: int) -> None:
    """Add a piece to the holding of `job`."""
    entry = s.tally[FREE_ENTRY]
    s.tally[FREE_ENTRY] = s.entry_next[entry]
    s.entry_node[entry] = node
    s.entry_gpus[entry] = gpus
    s.entry_next[entry] = s.first_entry[job]
    s.first_entry[job] = entry
    s.free[node] -= gpus
    s.tally[FREE_GPUS] -= gpus
    s.held[job] += gpus
    s.held_of[s.tenant[job]] += gpus


@kernel
def give_back(s: State, log: Log, job: int, now_s: float) -> None:
    """Return every piece of `job` and log a span for each."""
    since_s = s.since_s[job]
    entry = s.first_entry[job]
    while entry >= 0:
        node = s.entry_node[entry]
        gpus = s.entry_gpus[entry]
        row = log.tally[0]
        log.owner[row] = job
        log.node[row] = node
        log.gpus[row] = gpus
        log.start_s[row] = since_s
        log.end_s[row] = now_s
        log.tally[0] = row + 1
        s.pool_gpu_s[job, s.pool[node]] += gpus * (now_s - since_s)
        s.free[node] += gpus
        s.tally[FREE_GPUS] += gpus
        after = s.entry_next[entry]
        s.entry_next[entry] = s.tally[FREE_ENTRY]
        s.tally[FREE_ENTRY] = entry
        entry = after
    s.first_entry[job] = -1
    s.held_of[s.tenant[job]] -= s.held[job]
    s.held[job] = 0


@kernel
def rate_of(s: State, job: int) -> float:
    """Seconds of work a second; a gang is as fast as its slowest GPU."""
    entry = s.first_entry[job]
    speed = np.inf
    while entry >= 0:
        speed = min(speed, s.domain_speed[s.domain[s.entry_node[entry]]])
        entry = s.entry_next[entry]
    rate: float = speed * s.held[job] / s.gang[job]
    return rate


@kernel
def drop_stale(s: State) -> None:
    """Rebuild the heap of completions from the jobs that run."""
    s.tally[DUE_COUNT] = 0
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        push(s.due_s, s.due_job, s.tally[DUE_COUNT], s.finish_s[job], job)
        s.tally[DUE_COUNT] += 1


@kernel
def begin_segment(s: State, job: int, now_s: float, overhead_s: float) -> None:
    """The pieces are taken: from now on the job holds them, and works after `overhead_s`."""
    s.phase[job] = RUNNING
    s.tally[WAITING_COUNT] -= 1
    s.waiting_of[s.tenant[job]] -= 1
    s.since_s[job] = now_s
    s.work_from_s[job] = now_s + overhead_s
    s.rate[job] = rate_of(s, job)
    s.finish_s[job] = s.work_from_s[job] + s.remaining_s[job] / s.rate[job]
    if np.isnan(s.first_start_s[job]):
        s.first_start_s[job] = now_s
    if s.tally[DUE_COUNT] == len(s.due_s):
        drop_stale(s)
    s.running[s.tally[RUNNING_COUNT]] = job
    s.running_at[job] = s.tally[RUNNING_COUNT]
    s.tally[RUNNING_COUNT] += 1
    push(s.due_s, s.due_job, s.tally[DUE_COUNT], s.finish_s[job], job)
    s.tally[DUE_COUNT] += 1


@kernel
def end_segment(s: State, log: Log, job: int, now_s: float) -> None:
    """Integrate the segment up to now, give the GPUs back, and leave the list of running jobs."""
    held = s.held[job]
    worked_s = max(0.0, now_s - s.work_from_s[job])
    span_s = now_s - s.since_s[job]
    s.held_s[job] += span_s
    s.useful_gpu_s[job] += worked_s * held
    s.overhead_gpu_s[job] += (min(now_s, s.work_from_s[job]) - s.since_s[job]) * held
    s.attained_gpu_s[job] += span_s * held
    if worked_s > 0.0:
        s.stalls[job] = 0
    if now_s == s.finish_s[job]:
        s.remaining_s[job] = 0.0
    else:
        s.remaining_s[job] = max(0.0, s.remaining_s[job] - worked_s * s.rate[job])
    give_back(s, log, job, now_s)
    s.finish_s[job] = np.inf
    s.rate[job] = 0.0
    last = s.tally[RUNNING_COUNT] - 1
    at, moved = s.running_at[job], s.running[last]
    s.running[at] = moved
    s.running_at[moved] = at
    s.tally[RUNNING_COUNT] = last


@kernel
def complete(s: State, log: Log, job: int, now_s: float) -> None:
    end_segment(s, log, job, now_s)
    s.phase[job] = FINISHED
    s.end_s[job] = now_s
    s.tally[DONE_COUNT] += 1


@kernel
def next_due_s(s: State) -> float:
    """Instant of the next completion, inf where nothing runs; drops stale entries on the way."""
    while s.tally[DUE_COUNT] > 0:
        job = s.due_job[0]
        if s.phase[job] == RUNNING and s.finish_s[job] == s.due_s[0]:
            due_s: float = s.due_s[0]
            return due_s
        pop(s.due_s, s.due_job, s.tally[DUE_COUNT])
        s.tally[DUE_COUNT] -= 1
    return np.inf


@kernel
def to_waiting(s: State, job: int) -> None:
    s.phase[job] = WAITING
    s.tally[WAITING_COUNT] += 1
    s.waiting_of[s.tenant[job]] += 1
