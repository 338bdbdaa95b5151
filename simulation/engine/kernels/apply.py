"""Plans against the ledger: checked as a whole, then applied as a whole."""

from __future__ import annotations

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.loss import entry_s, lose, save
from simulation.engine.kernels.segments import begin_segment, end_segment, take, to_waiting
from simulation.engine.kernels.walk import copy
from simulation.engine.plan import PIECES, STOPS, Plan
from simulation.engine.state import KILLS, RESIZE, RESUME, RUNNING, WAITING, Log, State
from simulation.records import Ints

# What is wrong with a plan; words for each stand in engine.refusals.
OK, NOT_RUNNING, NOT_PREEMPTIBLE, NODE_FULL, NODE_NOT_PERMITTED, GANG, NOT_WAITING, SPLIT, UNKNOWN_NODE = range(9)
NODE_AWAY = 9


@inner
def pieces_of(p: Plan, at: int) -> int:
    """End of the run of pieces of one job that begins at `at`."""
    end = at + 1
    while end < p.tally[PIECES] and p.job[end] == p.job[at]:
        end += 1
    return end


@inner
def placed_gpus(p: Plan, job: int) -> int:
    """GPUs that the plan gives to `job`."""
    total = 0
    for i in range(p.tally[PIECES]):
        if p.job[i] == job:
            total += p.gpus[i]
    return total


@kernel
def permits(s: State, job: int, node: int) -> bool:
    """Whether `job` may use the GPUs of `node`."""
    for domain in s.class_domains[s.klass[job]]:
        if domain < 0:
            return False
        if domain == s.domain[node]:
            return True
    return False


@inner
def check_stops(s: State, p: Plan, free: Ints) -> tuple[int, int]:
    """First fault among the stops, and the job; adds what they give back to `free`."""
    for i in range(p.tally[STOPS]):
        job = p.stop[i]
        if s.phase[job] != RUNNING:
            return NOT_RUNNING, job
        if not s.preemptible[job]:
            placed = placed_gpus(p, job)
            if placed == 0 or placed == s.held[job]:
                return NOT_PREEMPTIBLE, job
        if s.host[job] == job and all_stopped(s, p, job):
            entry = s.first_entry[job]
            while entry >= 0:
                free[s.entry_node[entry]] += s.entry_gpus[entry]
                entry = s.entry_next[entry]
    return OK, -1


@inner
def all_stopped(s: State, p: Plan, job: int) -> bool:
    """Whether everyone who shares the GPUs of a stopped job is stopped too."""
    other = s.mate[job]
    while other != job:
        if not is_stopped(p, other):
            return False
        other = s.mate[other]
    return True


@inner
def is_stopped(p: Plan, job: int) -> bool:
    for i in range(p.tally[STOPS]):  # noqa: SIM110 (a generator does not compile)
        if p.stop[i] == job:
            return True
    return False


@kernel
def check(s: State, p: Plan) -> tuple[int, int]:
    """OK, or the first fault and the job that has it. Changes nothing but the working copy of `free`."""
    free = s.draft
    copy(s.free, free)
    fault, job = check_stops(s, p, free)
    at = 0
    while fault == OK and at < p.tally[PIECES]:
        job = p.job[at]
        end = pieces_of(p, at)
        if s.phase[job] != WAITING and not is_stopped(p, job):
            return NOT_WAITING, job
        total = 0
        for i in range(at, end):
            node = p.node[i]
            if node < 0 or node >= len(free) or p.gpus[i] < 1:
                return UNKNOWN_NODE, job
            if not permits(s, job, node):
                return NODE_NOT_PERMITTED, job
            if s.away[node] > 0:
                return NODE_AWAY, job
            free[node] -= p.gpus[i]
            total += p.gpus[i]
            if free[node] < 0:
                return NODE_FULL, job
        if total < s.gang_min[job] or total > s.gang_max[job]:
            return GANG, job
        for i in range(end, p.tally[PIECES]):
            if p.job[i] == job:
                return SPLIT, job
        at = end
    return fault, job


@inner
def stop(s: State, log: Log, p: Plan, job: int, now_s: float) -> bool:
    """End the holding of a job; whether that is a preemption (it gets nothing else in this plan)."""
    held, owed_s, placed = s.held[job], max(0.0, s.work_from_s[job] - now_s), placed_gpus(p, job)
    if placed == 0:
        s.preemptions[job] += 1
        s.stalls[job] += 1
    end_segment(s, log, job, now_s)
    if placed == 0 and s.overhead_s[KILLS] > 0:
        lose(s, job)
    else:
        save(s, job)
    to_waiting(s, job)
    # the overhead of what follows at once: a resize adds to what is still owed, a migration is a resume
    s.work_from_s[job] = owed_s + s.overhead_s[RESIZE] if placed != held else s.overhead_s[RESUME]
    s.resizes[job] += placed > 0 and placed != held
    s.migrations[job] += placed == held
    return placed == 0


@inner
def apply(s: State, log: Log, p: Plan, now_s: float) -> tuple[int, int]:
    """Apply a checked plan. Writes the jobs preempted; returns how many, and how many started or resumed."""
    lost = begun = 0
    for i in range(p.tally[STOPS]):
        if stop(s, log, p, p.stop[i], now_s):
            s.stopped[lost] = p.stop[i]
            lost += 1
    at = 0
    while at < p.tally[PIECES]:
        job = p.job[at]
        end = pieces_of(p, at)
        for i in range(at, end):
            take(s, job, p.node[i], p.gpus[i])
        moved = p.tally[STOPS] > 0 and is_stopped(p, job)
        begun += not moved
        begin_segment(s, log, job, now_s, s.work_from_s[job] if moved else entry_s(s, job))
        at = end
    return lost, begun


@kernel
def apply_whole(s: State, log: Log, p: Plan, now_s: float) -> tuple[int, int, int]:
    """Check a plan and apply it, or change nothing: the fault, the jobs preempted, the jobs started or resumed."""
    fault, _ = check(s, p)
    if fault != OK:
        return fault, 0, 0
    lost, begun = apply(s, log, p, now_s)
    return fault, lost, begun
