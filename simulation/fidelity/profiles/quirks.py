"""Named quirks of simulators that keep lists: what happens to jobs at an instant before the policy is asked."""

from __future__ import annotations

import numpy as np

from simulation.by_address import ByAddress
from simulation.engine.kernels.advance import next_arrival_s
from simulation.engine.kernels.compiling import inner
from simulation.engine.kernels.segments import complete, drop_stale, next_due_s
from simulation.engine.state import DONE_COUNT, FINISHED, RUNNING, RUNNING_COUNT, WAITING_COUNT, Log, State
from simulation.records import Floats, Ints


class Quirks(ByAddress):
    """stale_completions: completions that were foretold for the instant of an arrival happen then, though a job was
    preempted in between and has work left.
    overhead_s (jobs,) or empty: the cost of a restart is charged at every event to every job that runs, whether or not
    it was restarted; only the stretch before a completion is free of it.
    """

    stale_completions: bool
    overhead_s: Floats
    charged_s: Floats  # (1,) instant of the last charge
    noted: Ints  # who will end with the next arrival
    tally: Ints  # (1,) how many
    noted_for_s: Floats  # (1,)


def make_quirks(stale_completions: bool, overhead_s: Floats, most_running: int) -> Quirks:
    return Quirks(
        stale_completions, overhead_s, np.zeros(1), np.zeros(most_running, np.int64), np.zeros(1, np.int64),
        np.full(1, -1.0),
    )  # fmt: skip


@inner
def before_event(s: State, q: Quirks) -> None:
    """The clock is about to move: if the next completion and the next arrival fall together, note who will end."""
    if not q.stale_completions:
        return
    due_s = next_due_s(s)
    if due_s == np.inf or due_s != next_arrival_s(s):
        return
    q.noted_for_s[0] = due_s
    q.tally[0] = 0
    for i in range(s.tally[RUNNING_COUNT]):
        if s.finish_s[s.running[i]] == due_s:
            q.noted[q.tally[0]] = s.running[i]
            q.tally[0] += 1


@inner
def at_event(s: State, log: Log, q: Quirks, now_s: float) -> None:
    """The clock stands at `now_s`, and what the engine foresaw for this instant has happened."""
    if len(q.overhead_s) > 0:
        charge(s, q.overhead_s, now_s - q.charged_s[0])
        q.charged_s[0] = now_s
    if q.stale_completions and now_s == q.noted_for_s[0]:
        end_noted(s, log, q, now_s)


@inner
def charge(s: State, overhead_s: Floats, since_s: float) -> None:
    """Take from every running job the work of the first `overhead_s` of the last `since_s` seconds."""
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        idle_s = min(since_s, overhead_s[job])
        s.work_from_s[job] += idle_s
        s.finish_s[job] += idle_s
    drop_stale(s)


@inner
def end_noted(s: State, log: Log, q: Quirks, now_s: float) -> None:
    """End those of the note who have not ended, with work undone."""
    for i in range(q.tally[0]):
        job = q.noted[i]
        if s.phase[job] == RUNNING:
            complete(s, log, job, now_s)
        elif s.phase[job] != FINISHED:
            s.phase[job] = FINISHED
            s.end_s[job] = now_s
            s.tally[DONE_COUNT] += 1
            s.tally[WAITING_COUNT] -= 1
            s.waiting_of[s.tenant[job]] -= 1
    q.tally[0] = 0
