"""Rounds of whole steps: in a round a job runs the steps that fit into it, and its GPUs are idle until the round ends.

The policy says who runs where (a Round); this loop runs it. The work of a job is counted in steps.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from simulation.engine.loop import Loop
from simulation.engine.policy import Policy
from simulation.engine.state import DONE_COUNT, FINISHED, REJECTED, WAITING_COUNT, State
from simulation.fidelity.profiles.pace import end_at
from simulation.records import Floats, Ints


class Round(NamedTuple):
    """Who runs, on which type, for how many of the steps left, to which instant; arrays of one length."""

    begin_s: float
    job: Ints
    kind: Ints
    left: Floats
    steps: Floats
    rate: Floats  # steps/s of the whole gang
    finish_s: Floats
    failed: NDArray[np.bool_]  # a GPU of the gang has no step to run, so nobody's count
    end_s: float  # the last to finish ends the round; -inf where nobody runs


def open_round(now_s: float, job: Ints, kind: Ints, left: Floats, rate: Floats, gang: Ints, length_s: float) -> Round:
    """Whole steps that fit into the round, or what is left. Steps are dealt out evenly: each GPU must get one."""
    steps = np.minimum(np.floor(rate * length_s), left)
    finish_s = now_s + steps / rate
    return Round(now_s, job, kind, left, steps, rate, finish_s, steps < gang, float(finish_s.max(initial=-np.inf)))


_NO_JOB, _NO_NUMBER = np.zeros(0, np.int64), np.zeros(0)
NOBODY = open_round(0.0, _NO_JOB, _NO_JOB, _NO_NUMBER, _NO_NUMBER, _NO_JOB, length_s=0.0)


class RoundPolicy(Policy, Protocol):
    """A policy that opens rounds; a new round is a new object. `dropped`: jobs given up, not yet told to the loop."""

    round: Round
    dropped: list[int]


class WholeSteps(Loop):
    """A loop in which every round begins anew with whole steps."""

    policy: RoundPolicy
    _paced: Round = NOBODY

    def limit_s(self) -> float:
        """Asked before the clock moves on: those of a round that has begun run at its pace, and to its finish."""
        before, now = self._paced, self.policy.round
        if now is not before:
            worked_to_s = np.where(before.failed, before.begin_s, before.finish_s)
            book_idle(self.ledger, before.job, before.end_s - worked_to_s)
            ends = (now.steps == now.left) & ~now.failed
            self.ledger.remaining_s[now.job], self.ledger.rate[now.job] = now.left, now.rate
            end_at(self.ledger, now.job, np.where(ends, now.finish_s, np.inf))
            self._paced = now
            while self.policy.dropped:
                give_up(self.ledger, self.policy.dropped.pop())
        return super().limit_s()


@njit(cache=True)
def book_idle(s: State, jobs: Ints, idle_s: Floats) -> None:
    """Who has not ended held its GPUs to the end of the round, and did nothing there after its last step."""
    for i in range(len(jobs)):
        job = jobs[i]
        if s.phase[job] != FINISHED:
            s.useful_gpu_s[job] -= idle_s[i] * s.gang[job]
            s.overhead_gpu_s[job] += idle_s[i] * s.gang[job]


@njit(cache=True)
def give_up(s: State, job: int) -> None:
    """A waiting job will not run again."""
    s.phase[job] = REJECTED
    s.tally[DONE_COUNT] += 1
    s.tally[WAITING_COUNT] -= 1
    s.waiting_of[s.tenant[job]] -= 1
