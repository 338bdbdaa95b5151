"""A quirk: completions that are foretold for the instant of an arrival happen then, even if they no longer should."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simulation.engine.kernels.advance import next_arrival_s
from simulation.engine.kernels.segments import complete, next_due_s
from simulation.engine.loop import Loop
from simulation.engine.state import DONE_COUNT, FINISHED, RUNNING, RUNNING_COUNT, WAITING_COUNT, Log, State
from simulation.records import Ints


class StaleCompletions(Loop):
    """A loop that, as its peer does, notes with an arrival who will end at that very instant, and does not look again.

    Whoever is preempted in between ends there all the same, with work undone. The note is renewed whenever the next
    completion and the next arrival again fall together.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._noted, self._tally = np.zeros(len(self.ledger.running), np.int64), np.zeros(1, np.int64)
        self._noted_for_s = -1.0

    def limit_s(self) -> float:
        """Asked before the clock moves on: the time to take the note."""
        due_s = note(self.ledger, self._noted, self._tally)
        if due_s >= 0.0:
            self._noted_for_s = due_s
        return super().limit_s()

    def arrive_at(self, now_s: float) -> None:
        super().arrive_at(now_s)
        if now_s == self._noted_for_s:
            self.reserve_log()
            end_noted(self.ledger, self.log, self._noted, self._tally, now_s)


@njit(cache=True)
def note(s: State, noted: Ints, tally: Ints) -> float:
    """Write down who will end at the instant of the next arrival, which is returned; -1 where nobody does."""
    due_s = next_due_s(s)
    if due_s == np.inf or due_s != next_arrival_s(s):
        return -1.0
    tally[0] = 0
    for i in range(s.tally[RUNNING_COUNT]):
        if s.finish_s[s.running[i]] == due_s:
            noted[tally[0]] = s.running[i]
            tally[0] += 1
    return due_s


@njit(cache=True)
def end_noted(s: State, log: Log, noted: Ints, tally: Ints, now_s: float) -> None:
    """End those of the note who have not ended."""
    for i in range(tally[0]):
        job = noted[i]
        if s.phase[job] == RUNNING:
            complete(s, log, job, now_s)
        elif s.phase[job] != FINISHED:
            s.phase[job] = FINISHED
            s.end_s[job] = now_s
            s.tally[DONE_COUNT] += 1
            s.tally[WAITING_COUNT] -= 1
            s.waiting_of[s.tenant[job]] -= 1
    tally[0] = 0
