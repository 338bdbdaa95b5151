"""Tickets of tenants: turns on each kind of GPU in proportion, and trades of fast GPUs for more of the slow ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.holding import pieces_of
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.placer import Placer
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.gang_rates import gang_rates
from simulation.mechanisms.programs.movable import Movable, movable
from simulation.mechanisms.realise import realise
from simulation.mechanisms.sequence import Sequence
from simulation.mechanisms.tenancy import Tenancy
from simulation.mechanisms.tickets.shares import Wants, fair_shares
from simulation.mechanisms.tickets.stride import Queue, Strides
from simulation.mechanisms.tickets.trading import traded
from simulation.records import Floats, Ints


@dataclass(frozen=True)
class TradedTickets(Tenancy):
    """Tenants hold tickets (their quotas); their jobs take turns on each kind of GPU so that time goes by tickets.

    What a tenant cannot use is spread over the others. Those whose jobs gain most from fast GPUs buy shares of them
    from those whose jobs gain least, for more of the slow ones than these would be worth to the seller.
    """

    member: ClassVar[str] = "tickets"
    quantum_s: float = parameter(
        60.0, "length of a turn", unit="s", low=1.0, high=86_400.0, source="Gandiva_fair, recalled: about a minute",
    )  # fmt: skip
    trade: bool = parameter(
        True, "shares of unlike GPUs are traded; else everyone keeps its part of each kind",
        source="Gandiva_fair, EuroSys 2020",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE if self.trade else Regime.BLIND

    def limit_gpus(self, view: View) -> Floats:
        return np.full(view.tenants, np.inf)

    def placer(self, view: View) -> Placer:
        return TicketTurns(self, view)


class TicketTurns:
    """The turns of one run. Between turns GPUs that become free go to jobs that wait."""

    def __init__(self, rule: TradedTickets, view: View) -> None:
        self._rule, jobs, self._kinds = rule, len(view.submit_s), len(view.nodes.domain_speed)
        self._strides = Strides(jobs, view.tenants, self._kinds)
        self._tickets = np.zeros((view.tenants, self._kinds))
        self._order: list[int] = []
        self._gpus = np.zeros(self._kinds, np.int64)
        self._known = np.zeros(jobs, np.bool_)
        self._stale = False
        self._ends_s = -math.inf
        self._ran: dict[int, tuple[int, bool]] = {}  # job -> kind, and whether its user is charged
        self._ran_from_s = 0.0

    def refresh(self, view: View, news: News) -> None:
        """Charge those who ran since the last decision; take in who has come."""
        for job, (kind, charged) in self._ran.items():
            user = int(view.tenant[job])
            gpu_s = int(view.gang[job]) * (view.now_s - self._ran_from_s)
            self._strides.charge(job, user, kind, gpu_s, self._tickets[user, kind] if charged else 0.0)
        self._ran_from_s = view.now_s
        self._ran = {job: ran for job, ran in self._ran.items() if view.held[job]}
        new = np.sort(news.waiting[~self._known[news.waiting]])
        live = np.concatenate([view.running, view.waiting]) if len(new) else new
        for job in new.tolist():
            others = live[self._known[live] & (view.tenant[live] == view.tenant[job])]
            self._strides.admit(job, int(view.gang[job]), others)
            self._known[job] = True
        self._stale |= bool(len(news.waiting) or len(news.finished))

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        """A new turn where the last one is over, else only jobs that wait, on free GPUs."""
        scene = movable(view, draft)
        if self._stale or (scene.gpus != self._gpus).any():
            self._share_out(view, scene)
        if view.now_s >= self._ends_s and (view.waiting_count or self._kinds > 1):
            self._ends_s = view.now_s + self._rule.quantum_s
            targets = [*scene.fixed, *self._choose(view, scene.jobs, scene.gpus, [t.job for t in scene.fixed])]
            realise(view, targets, rule, draft, migrate=not scene.fixed)
        else:
            realise(view, self._filled(view, draft), rule, draft)
        self._ran = {job: ran for job, ran in self._ran.items() if draft.pieces(job)}

    def wake_s(self, view: View) -> float:
        """The end of the turn, if others wait for theirs or there are several kinds of GPU to take turns on."""
        busy = len(view.running) and (view.waiting_count or self._kinds > 1)
        return max(self._ends_s, math.nextafter(view.now_s, math.inf)) if busy else math.inf

    def _filled(self, view: View, draft: Draft) -> list[Target]:
        """Whoever runs goes on, and others start on what is free."""
        going = view.running.tolist()
        free = np.bincount(view.nodes.domain, weights=draft.free, minlength=self._kinds).astype(np.int64)
        kept = [Target(job, int(view.held[job]), pieces=pieces_of(view, job)) for job in going]
        return [*kept, *self._choose(view, view.waiting, free, going)]

    def _choose(self, view: View, jobs: Ints, gpus: Ints, going: list[int]) -> list[Target]:
        """Who of `jobs` runs on which kind, the best kind first, beside those who are `going` on."""
        chosen: dict[int, tuple[int, bool]] = {}
        able = self._able(view, jobs)
        for kind in self._order:
            free = jobs[able[:, kind] & ~np.isin(jobs, list(chosen))]
            queue = Queue(free, view.tenant[free], view.gang[free])
            turn = self._strides.choose(queue, self._tickets[:, kind], kind, int(gpus[kind]), self._rule.quantum_s)
            chosen |= {job: (kind, charged) for job, charged in zip(turn.job, turn.charged, strict=True)}
        self._ran = {job: self._ran[job] for job in going if job in self._ran} | chosen
        widest = sorted(chosen, key=lambda job: (-view.gang[job], job))
        return [Target(job, int(view.gang[job]), chosen[job][0]) for job in widest]

    def _able(self, view: View, jobs: Ints) -> np.ndarray:
        """(jobs, kinds) where the whole gang may run and would fit."""
        allowed = np.zeros((len(jobs), self._kinds), np.bool_)
        for row, job in enumerate(jobs.tolist()):
            allowed[row, view.permitted(job)] = True
        able: np.ndarray = allowed & (view.gang[jobs][:, None] <= view.nodes.domain_gpus())
        return able

    def _share_out(self, view: View, scene: Movable) -> None:
        """Tickets of each kind by those of the tenants, and trades."""
        jobs, self._gpus, self._stale = scene.jobs, scene.gpus, False
        able = self._able(view, jobs)
        rate = gang_rates(view, jobs) if self._rule.trade else np.tile(view.nodes.domain_speed, (len(jobs), 1))
        rate = np.where(able, rate, 0.0)
        speed = (rate / np.maximum(1e-300, rate.max(axis=1, keepdims=True, initial=0.0))).sum(axis=0)
        self._order = np.argsort(-speed, kind="stable").tolist()
        user, wants = view.tenant[jobs], _wants(view, jobs, able)
        share = fair_shares(view.entitled, wants, scene.gpus.astype(np.float64), self._order)
        self._tickets = self._after_trades(share, wants, user, rate) if self._rule.trade else share
        self._strides.enter(self._tickets)

    def _after_trades(self, share: Floats, wants: Wants, user: Ints, rate: Floats) -> Floats:
        """Each kind with every slower one, the fastest first, and the slowest first among the others."""
        for place, fast in enumerate(self._order):
            for slow in reversed(self._order[place + 1 :]):
                share = traded(share, wants, _gains(user, rate[:, fast], rate[:, slow], len(share)), fast, slow)
        return share


def _wants(view: View, jobs: Ints, able: np.ndarray) -> Wants:
    total, on = np.zeros(view.tenants), np.zeros((view.tenants, able.shape[1]))
    np.add.at(total, view.tenant[jobs], view.gang[jobs] * able.any(axis=1))
    np.add.at(on, view.tenant[jobs], view.gang[jobs][:, None] * able)
    return Wants(total, on)


def _gains(user: Ints, fast: Floats, slow: Floats, users: int) -> Floats:
    """(users,) mean over jobs of the rate on one kind over that on the other; 0 where none runs on both."""
    both = (fast > 0) & (slow > 0)
    total = np.bincount(user[both], fast[both] / slow[both], users)
    gains: Floats = total / np.maximum(1, np.bincount(user[both], minlength=users))
    return gains
