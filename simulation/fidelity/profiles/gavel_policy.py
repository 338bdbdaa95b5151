"""Gavel's policy: an allocation promises shares of time on each type, and rounds serve who is furthest behind."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from simulation.engine.plan import Plan, make_plan
from simulation.engine.policy import Conduct, News
from simulation.engine.view import View
from simulation.fidelity.profiles.gavel_allocations import Allocation, Demand
from simulation.fidelity.profiles.gavel_rounds import (
    DUE,
    END_S,
    LENGTH_S,
    LIVE,
    ORDERS,
    STALE,
    TURN,
    end_round,
    make_rounds,
    must_renew,
    open_round,
    wake_s,
)
from simulation.fidelity.profiles.gavel_steps import move
from simulation.mechanisms.programs.rounds import make_promises
from simulation.records import Floats, Ints

SHUFFLE_SEED = 5


class Measured(NamedTuple):
    """What the peer knows of jobs and types of GPU. Types are in alphabetical order."""

    throughput: Floats  # (jobs, types) steps/s
    gpus: Ints  # (types,)
    preferred: tuple[int, ...]  # types, the fastest kind first


class Rule(NamedTuple):
    """shuffled: types are served in a random order; promised_only: nobody is chosen without a promise."""

    shuffled: bool = False
    promised_only: bool = False


class DeficitRounds:
    """One object serves one run; jobs are rows in the order of arrival."""

    conduct = Conduct()

    def __init__(self, allocation: Allocation, rule: Rule, measured: Measured) -> None:
        self._allocation, self._rule, self._measured = allocation, rule, measured
        self._shuffle = random.Random(SHUFFLE_SEED)

    def begin(self, view: View) -> None:
        rate, gpus, _ = self._measured
        may = np.zeros(rate.shape, np.bool_) if self._rule.promised_only else rate > 0
        jobs, types = rate.shape
        steps = view.duration_s(np.arange(jobs))
        self.rounds = make_rounds(rate, gpus, may, steps, len(view.free))
        # a job counts as having run for half a round on each type when it comes
        self.promises = make_promises(jobs, types, credit_s=LENGTH_S / 2)
        self.plan = make_plan(view.cluster_gpus)
        self._draw()

    def compiled(self) -> None:
        """No recipe; `RoundLoop` is its compiled form."""

    def decide(self, view: View, news: News) -> Plan | None:
        """Inside a round nothing changes; at its end it is closed, and the next one opened."""
        s, r = view.ledger, self.rounds
        if view.now_s < r.clock[END_S]:
            return None
        end_round(s, r, self.promises, view.now_s)
        while r.tally[DUE]:
            self.prepare(view)
            open_round(s, r, self.promises, view.now_s)
        self.plan.clear()
        move(s, r, self.plan)
        return self.plan

    def prepare(self, view: View) -> None:
        """Whatever a round that is due needs first: new promises, or orders of types."""
        r, now_s = self.rounds, view.now_s
        if r.tally[TURN] == ORDERS:
            self._draw()
        if must_renew(r, self.promises, now_s):
            self._renew(r.live[: r.tally[LIVE]], view)
            r.tally[STALE] = 0

    def wake_s(self, view: View) -> float:
        return wake_s(self.rounds)

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]

    def _renew(self, live: Ints, view: View) -> None:
        r, b, now_s = self.rounds, self.promises, view.now_s
        b.settle(live, now_s)
        if not len(live):
            return
        rate = r.rate[live]
        demand = Demand(live, view.gang[live], rate, r.gpus, r.left[live], now_s - view.submit_s[live])
        share = self._allocation.shares(demand)
        b.renew(live, share)
        if self._rule.promised_only:
            r.may[live] = (share > 0) & (rate > 0)

    def _draw(self) -> None:
        """Orders of types for many rounds."""
        for turn in range(ORDERS):
            order = list(self._measured.preferred)
            if self._rule.shuffled:
                self._shuffle.shuffle(order)
            self.rounds.order[turn] = order
        self.rounds.tally[TURN] = 0
