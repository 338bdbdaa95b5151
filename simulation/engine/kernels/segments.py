"""A job takes GPUs, works, and lets them go: the only code that changes holdings and integrates work."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.heap import pop, push
from simulation.engine.kernels.network import align, duty_of, load_ports, meet
from simulation.engine.kernels.pace import (
    activity_of,
    is_beyond,
    linear_rate,
    members,
    rate_of,
    span_of_work_s,
    work_in_s,
)
from simulation.engine.state import (
    AT_RISK_GPU_S,
    AT_RISK_S,
    AT_RISK_TIME_S,
    BEYOND_COUNT,
    DONE_COUNT,
    DUE_COUNT,
    DUTY,
    FINISHED,
    FREE_ENTRY,
    FREE_GPUS,
    RUNNING,
    RUNNING_COUNT,
    STAKES,
    WAITING,
    WAITING_COUNT,
    Log,
    State,
)
from simulation.records import Floats, Ints


@inner
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


@inner
def give_back(s: State, job: int) -> None:
    """Return every piece of a job that shares with nobody."""
    entry = s.first_entry[job]
    while entry >= 0:
        node = s.entry_node[entry]
        gpus = s.entry_gpus[entry]
        if s.away[node] == 0:
            s.free[node] += gpus
            s.tally[FREE_GPUS] += gpus
        after = s.entry_next[entry]
        s.entry_next[entry] = s.tally[FREE_ENTRY]
        s.tally[FREE_ENTRY] = entry
        entry = after
    s.first_entry[job] = -1
    s.held_of[s.tenant[job]] -= s.held[job]


@inner
def write_spans(s: State, log: Log, job: int, now_s: float, share: float, activity: float) -> None:
    """A row of the log, and the account of its pool, for each piece that the job has held since its segment began."""
    since_s = s.since_s[job]
    entry = s.first_entry[s.host[job]]
    while entry >= 0:
        node = s.entry_node[entry]
        gpus = s.entry_gpus[entry]
        row = log.tally[0]
        log.owner[row] = job
        log.node[row] = node
        log.gpus[row] = gpus
        log.start_s[row] = since_s
        log.end_s[row] = now_s
        if share != 1.0 or activity != 1.0:
            log.share[row] = share
            log.activity[row] = activity
        log.tally[0] = row + 1
        s.pool_gpu_s[job, s.pool[node]] += gpus * (now_s - since_s) * share
        entry = s.entry_next[entry]


@inner
def drop_stale(s: State) -> None:
    """Rebuild the heap of completions from the jobs that run."""
    s.tally[DUE_COUNT] = 0
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        push(s.due_s, s.due_job, s.tally[DUE_COUNT], s.finish_s[job], job)
        s.tally[DUE_COUNT] += 1


@inner
def foresee_profiled(s: State, job: int) -> None:
    """As `foresee`, of a job that is not plain."""
    s.share[job] = 1.0 / members(s, job)
    s.rate[job] = rate_of(s, job, 1.0 - s.remaining_s[job] / max(s.duration_s[job], 1e-300))
    s.finish_s[job] = s.work_from_s[job] + span_of_work_s(s, job, s.remaining_s[job])
    s.tally[BEYOND_COUNT] += is_beyond(s, job)


@inner
def foresee(s: State, job: int) -> None:
    """Rate and end of a running job, as long as nothing about it changes."""
    if s.plain[job]:
        s.rate[job] = linear_rate(s, job) * s.overhead_s[DUTY]
        s.finish_s[job] = s.work_from_s[job] + s.remaining_s[job] / s.rate[job]
    else:
        foresee_profiled(s, job)
    if s.tally[DUE_COUNT] == len(s.due_s):
        drop_stale(s)
    push(s.due_s, s.due_job, s.tally[DUE_COUNT], s.finish_s[job], job)
    s.tally[DUE_COUNT] += 1


@inner
def begin_segment(s: State, log: Log, job: int, now_s: float, overhead_s: float) -> None:
    """The pieces are taken: from now on the job holds them, and works after `overhead_s`."""
    s.phase[job] = RUNNING
    s.tally[WAITING_COUNT] -= 1
    s.waiting_of[s.tenant[job]] -= 1
    s.since_s[job] = s.began_s[job] = now_s
    s.work_from_s[job] = now_s + overhead_s
    if np.isnan(s.first_start_s[job]):
        s.first_start_s[job] = now_s
    s.running[s.tally[RUNNING_COUNT]] = job
    s.running_at[job] = s.tally[RUNNING_COUNT]
    s.tally[RUNNING_COUNT] += 1
    if not s.plain[job]:
        cross_ports(s, log, job, now_s, True)
    foresee(s, job)


@inner
def cross_ports(s: State, log: Log, job: int, now_s: float, begins: bool) -> None:
    """A job begins or ceases to cross network ports: others who cross them go at another rate from now on."""
    if begins:
        s.duty[job] = duty_of(s, job)
    if s.duty[job] == 0:
        return
    load_ports(s, job, s.duty[job] if begins else -s.duty[job])
    if begins:
        align(s, job)
    else:
        s.duty[job] = 0
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and s.duty[other] > 0 and meet(s, job, other):
            if s.since_s[other] < now_s:
                settle(s, log, other, now_s)
            foresee(s, other)


@inner
def settle(s: State, log: Log, job: int, now_s: float) -> None:
    """Integrate the segment of a running job up to now; a new one begins."""
    if s.plain[job]:
        integrate(s, log, job, now_s, 1.0, 1.0, max(0.0, now_s - s.work_from_s[job]) * s.rate[job])
    else:
        settle_profiled(s, log, job, now_s)


@inner
def settle_profiled(s: State, log: Log, job: int, now_s: float) -> None:
    """As `settle`, of a job that is not plain."""
    done_s = work_in_s(s, job, max(0.0, now_s - s.work_from_s[job]))
    integrate(s, log, job, now_s, s.share[job], activity_of(s, job), done_s)


@inner
def integrate(s: State, log: Log, job: int, now_s: float, share: float, activity: float, done_s: float) -> None:
    """As `settle`, of a job that did `done_s` of work on a share of its GPUs."""
    held = s.held[job] * share
    worked_s = max(0.0, now_s - s.work_from_s[job])
    span_s = now_s - s.since_s[job]
    duty = s.overhead_s[DUTY]
    s.held_s[job] += span_s
    s.useful_gpu_s[job] += worked_s * duty * held
    s.overhead_gpu_s[job] += (min(now_s, s.work_from_s[job]) - s.since_s[job]) * held + worked_s * (1.0 - duty) * held
    s.attained_gpu_s[job] += span_s * held
    if worked_s > 0.0:
        s.stalls[job] = 0
    before_s = s.remaining_s[job]
    s.remaining_s[job] = 0.0 if now_s == s.finish_s[job] else max(0.0, before_s - done_s)
    if s.overhead_s[STAKES] > 0.0:
        s.risk[job, AT_RISK_S] += before_s - s.remaining_s[job]
        s.risk[job, AT_RISK_TIME_S] += worked_s
        s.risk[job, AT_RISK_GPU_S] += worked_s * duty * held
    write_spans(s, log, job, now_s, share, activity)
    s.since_s[job] = now_s
    s.work_from_s[job] = max(now_s, s.work_from_s[job])


@inner
def settle_mates(s: State, log: Log, job: int, now_s: float) -> None:
    """Integrate the segments of all who share with `job`, for they are about to go at another rate."""
    other = s.mate[job]
    while other != job:
        settle(s, log, other, now_s)
        other = s.mate[other]


@inner
def foresee_group(s: State, job: int) -> None:
    """`foresee` for every running member of a group."""
    other = job
    while True:
        foresee(s, other)
        other = s.mate[other]
        if other == job:
            return


@inner
def leave_group(s: State, job: int) -> int:
    """Take a job out of its ring; if it was the host, the next one holds the GPUs from now on. Returns a mate."""
    heir, last = s.mate[job], job
    while s.mate[last] != job:
        last = s.mate[last]
    s.mate[last] = heir
    s.mate[job] = job
    if s.host[job] == job:
        s.first_entry[heir], s.first_entry[job] = s.first_entry[job], -1
        s.held_of[s.tenant[job]] -= s.held[job]
        s.held_of[s.tenant[heir]] += s.held[job]
        other = heir
        while True:
            s.host[other] = heir
            other = s.mate[other]
            if other == heir:
                break
    s.host[job] = job
    return int(heir)


@inner
def let_go(s: State, log: Log, job: int, now_s: float) -> None:
    """The GPUs of a job that is not plain go to those who share them, if any."""
    if s.duty[job] > 0:
        cross_ports(s, log, job, now_s, False)
    if s.mate[job] == job:
        give_back(s, job)
        return
    settle_mates(s, log, job, now_s)
    foresee_group(s, leave_group(s, job))
    s.share[job] = 1.0


@kernel
def end_segment(s: State, log: Log, job: int, now_s: float) -> None:
    """Integrate the segment up to now, let the GPUs go (to those who share them, if any), and run no more."""
    settle(s, log, job, now_s)
    if s.plain[job]:
        give_back(s, job)
    else:
        let_go(s, log, job, now_s)
    s.held[job] = 0
    s.finish_s[job] = np.inf
    s.rate[job] = 0.0
    last = s.tally[RUNNING_COUNT] - 1
    at, moved = s.running_at[job], s.running[last]
    s.running[at] = moved
    s.running_at[moved] = at
    s.tally[RUNNING_COUNT] = last


@kernel
def join(s: State, log: Log, job: int, host: int, now_s: float, overhead_s: float) -> None:
    """A job that waits rides on the holding of one that runs, beside those who do so already."""
    settle(s, log, host, now_s)
    settle_mates(s, log, host, now_s)
    s.plain[job] = s.plain[host] = False
    s.mate[job] = s.mate[host]
    s.mate[host] = job
    s.host[job] = s.host[host]
    s.held[job] = s.held[host]
    begin_segment(s, log, job, now_s, overhead_s)
    other = s.mate[job]
    while other != job:
        foresee(s, other)
        other = s.mate[other]


@kernel
def change_settings(s: State, log: Log, job: int, columns: Ints, values: Floats, now_s: float) -> None:
    """Another clock, or other inputs, together: at once if the job runs, else for when it does."""
    if s.phase[job] == RUNNING:
        settle(s, log, job, now_s)
    s.plain[job] = False
    for i in range(len(columns)):
        s.setting[job, columns[i]] = values[i]
    if s.phase[job] == RUNNING:
        foresee(s, job)


@inner
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


@inner
def to_waiting(s: State, job: int) -> None:
    s.phase[job] = WAITING
    s.tally[WAITING_COUNT] += 1
    s.waiting_of[s.tenant[job]] += 1
