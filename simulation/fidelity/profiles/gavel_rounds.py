"""Gavel's mechanism: rounds in which jobs run where they are furthest behind what they were promised.

An allocation promises shares of time on each type. Run time on a type over all run time there is what a job received;
promised over received is its priority. Promises are renewed only now and then; what they owe then is the deficit.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numba import njit

from simulation.engine.kernels.place import take_any
from simulation.engine.kernels.rearrange import set_free
from simulation.engine.plan import STOPS, Plan, make_plan
from simulation.engine.policy import Conduct, News
from simulation.engine.state import RUNNING, RUNNING_COUNT, State
from simulation.engine.view import View
from simulation.fidelity.profiles.gavel_allocations import Allocation, Demand
from simulation.fidelity.profiles.gavel_steps import NOBODY, open_round
from simulation.mechanisms.programs.rounds import Promises
from simulation.records import Floats, Ints

LENGTH_S = 360.0
HALF_S = LENGTH_S / 2  # what a job counts as having run on each type when it comes
RENEWAL_S = 1920.0  # the least between two renewals of promises
MOST_FAILURES = 5  # rounds in a row
SHUFFLE_SEED = 5


class Measured(NamedTuple):
    """What the peer knows of jobs and types of GPU. Types are in alphabetical order."""

    throughput: Floats  # (jobs, types) steps/s
    gpus: Ints  # (types,)
    preferred: tuple[int, ...]  # types, the fastest kind first


class Rule(NamedTuple):
    """shuffled: types are served in a random order; promised_only: nobody runs without a promise."""

    shuffled: bool = False
    promised_only: bool = False


class DeficitRounds:
    """The policy. One object serves one run; jobs are rows in the order of arrival."""

    conduct = Conduct()

    def __init__(self, allocation: Allocation, rule: Rule, measured: Measured) -> None:
        self._allocation, self._rule, self._measured = allocation, rule, measured
        self._shuffle = random.Random(SHUFFLE_SEED)
        self.round = NOBODY
        self.dropped: list[int] = []

    def begin(self, view: View) -> None:
        jobs, types = self._measured.throughput.shape
        self._books = Promises(jobs, types, HALF_S)
        self._live = np.zeros(jobs, np.bool_)
        self._left = view.duration_s(np.arange(jobs)).copy()
        self._failures = np.zeros(jobs, np.int64)
        self._kind = np.full(jobs, -1, np.int64)  # type on which a job holds GPUs
        self._come = 0
        self._stale = False  # whether promises should be renewed
        self._charged_from_s = 0.0
        self._plan = make_plan(view.cluster_gpus)

    def compiled(self) -> None:
        return None

    def decide(self, view: View, news: News) -> Plan | None:
        """Inside a round nothing changes; at its end it is closed, and the next one opened."""
        if view.now_s < self.round.end_s:
            return None
        self._close()
        self._admit(view)
        chosen = self._choose(view)
        while not len(chosen[0]) and self._live.any() and self._come == len(view.submit_s) and self._stale:
            self._books.renewed_s = 0.0
            chosen = self._choose(view)
        jobs, kinds = chosen
        rate = self._measured.throughput[jobs, kinds]
        self.round = open_round(view.now_s, jobs, kinds, self._left[jobs], rate, view.gang[jobs], LENGTH_S)
        return self._planned(view)

    def wake_s(self, view: View) -> float:
        return self.round.end_s if len(self.round.job) else np.inf

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]

    def _close(self) -> None:
        """Take in what the round did, the last to finish first: sums depend on the order."""
        r = self.round
        for i in np.lexsort((r.job, -r.finish_s)).tolist():
            job = int(r.job[i])
            self._failures[job] = self._failures[job] + 1 if r.failed[i] else 0
            if not r.failed[i]:
                self._left[job] -= r.steps[i]
                self._books.charge(job, int(r.kind[i]), float(r.finish_s[i]) - self._charged_from_s)
            if self._failures[job] == MOST_FAILURES:
                self.dropped.append(job)
            if not self._left[job] or self._failures[job] == MOST_FAILURES:
                self._live[job] = False
                self._stale = True
        if len(r.job):
            self._charged_from_s = r.end_s
        self.round = NOBODY

    def _admit(self, view: View) -> None:
        """Jobs that have arrived by now."""
        come = int(np.searchsorted(view.submit_s, view.now_s, side="right"))
        if come > self._come:
            self._live[self._come : come] = True
            self._books.admit(np.arange(self._come, come))
            self._come, self._stale = come, True

    def _renew(self, live: Ints, view: View) -> None:
        """New promises, unless the old ones are still right or too fresh."""
        now_s = view.now_s
        since_s = now_s - self._books.renewed_s
        if not self._stale or (since_s < RENEWAL_S and self._books.renewed_s):
            return
        self._books.settle(live, now_s)
        measured, age_s = self._measured, now_s - view.submit_s[live]
        demand = Demand(live, view.gang[live], measured.throughput[live], measured.gpus, self._left[live], age_s)
        self._books.share[live] = self._allocation.shares(demand) if len(live) else 0.0
        self._books.promised[live] = True
        self._stale = False

    def _choose(self, view: View) -> tuple[Ints, Ints]:
        """Jobs that will run, and their types."""
        live = np.flatnonzero(self._live)
        self._renew(live, view)
        may = self._measured.throughput[live] > 0
        if self._rule.promised_only:
            may &= self._books.priority(live) > 0
        kinds = self._books.choose(live, view.gang[live], may, self._order(), self._measured.gpus)
        runs = (kinds >= 0) & self._books.promised[live]
        return live[runs], kinds[runs]

    def _order(self) -> list[int]:
        """Types in the order in which they are served."""
        order = list(self._measured.preferred)
        if self._rule.shuffled:
            self._shuffle.shuffle(order)
        return order

    def _planned(self, view: View) -> Plan:
        """From who holds GPUs to who should."""
        wanted = np.full(len(self._kind), -1, np.int64)
        wanted[self.round.job] = self.round.kind
        self._plan.clear()
        move(view.ledger, self._kind, wanted, self.round.job, self._plan)
        self._kind = wanted
        return self._plan


@njit(cache=True)
def move(s: State, held: Ints, wanted: Ints, jobs: Ints, p: Plan) -> None:
    """Write into `p` how jobs go from the types `held` to those `wanted` (-1: none); who stays keeps its GPUs."""
    free = s.free.copy()
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        if wanted[job] != held[job]:
            set_free(s, free, job, 1)
            p.stop[p.tally[STOPS]] = job
            p.tally[STOPS] += 1
    for job in jobs:
        if s.phase[job] != RUNNING or wanted[job] != held[job]:
            take_any(s, free, p, job, wanted[job], s.gang[job])
