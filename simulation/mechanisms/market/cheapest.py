"""Placement by price: every job goes where its work is cheapest, and moves when that has changed enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from simulation.engine.draft import Draft
from simulation.engine.kernels.place import CONSOLIDATE_BEST
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.market.instances import Move, Reclaims, best_instance, work_for_money
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.placement import Placement
from simulation.mechanisms.placer import TenantUse
from simulation.mechanisms.sequence import Sequence
from simulation.records import Floats, Ints
from simulation.world.links import ISLAND, NODE

UNKNOWN_USD_PER_H = 1e6  # so dear that every pool with a price comes first
CHOICES = ("first-model", "at-start", "every-period")


@dataclass(frozen=True)
class CheapestWork(Placement):
    """A job takes one node of the pool with the most work for the money at its own rate there and the present price.

    Pools stand for instance types of clouds and zones. A job that has lost its node too often in a day leaves the
    spot market until the next. A gang wider than any node goes where it fits, whatever the price.
    """

    member: ClassVar[str] = "cheapest-work"
    choose: str = parameter(
        "every-period", "among pools of the first model at the start, among all at the start, or again every period",
        choices=CHOICES, source="training_on_a_dime repository, strategies",
    )  # fmt: skip
    period_s: float = parameter(
        86_400.0, "between two choices", unit="s", low=60.0, high=1e7,
        source="training_on_a_dime repository; abstract: once a day is enough",
    )  # fmt: skip
    move_usd: float = parameter(
        9.0, "transfer of the training data, which a move has to save; the run is not charged for it", unit="USD",
        low=0.0, high=1e6, source="training_on_a_dime repository, data movement variant",
    )  # fmt: skip
    move_s: float = parameter(
        300.0, "checkpoint, boot and restore, which a move has to save as well", unit="s", low=0.0, high=86_400.0
    )
    reclaims: int = parameter(3, "reclaims in a day after which a job leaves the spot market", low=1, high=1000)

    @property
    def rule(self) -> int:
        return CONSOLIDATE_BEST

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def placer(self, view: View) -> PricePlacer:
        return PricePlacer(view, self)


class PricePlacer:
    """Where the jobs of one run are, and what they have suffered."""

    def __init__(self, view: View, member: CheapestWork) -> None:
        self._member, self._move = member, Move(member.move_s, member.move_usd)
        self._reclaims = Reclaims(member.reclaims)
        pools = range(len(view.nodes.pools))
        self._nodes = [np.flatnonzero(view.nodes.pool == pool) for pool in pools]
        self._first = np.array([nodes[0] if len(nodes) else 0 for nodes in self._nodes])
        self._spot = np.array([pool.purchase == "spot" for pool in view.nodes.pools])
        model = view.nodes.pools[0].gpu_model
        fixed = member.choose == "first-model"
        self._open = np.array([not fixed or pool.gpu_model == model for pool in view.nodes.pools])
        self._pool_of: dict[int, int] = {}
        self._next_s = member.period_s

    def refresh(self, view: View, news: News) -> None:
        """A job that waits again without having been moved has lost its node."""
        for job in news.finished.tolist():
            self._pool_of.pop(job, None)
        for job in news.waiting.tolist():
            pool = self._pool_of.pop(job, None)
            if pool is not None and self._spot[pool]:
                self._reclaims.happened(job, view.now_s)

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        if view.now_s >= self._next_s:
            self._next_s += self._member.period_s * (1 + (view.now_s - self._next_s) // self._member.period_s)
            if self._member.choose == "every-period":
                for job in sequence.running(view).tolist():
                    self._reconsider(view, job, draft)
        use = TenantUse(view, limit)
        for job in sequence.waiting(view).tolist():
            if not draft.free.any():
                return
            if use.allows(view, job) and self._start(view, job, rule, draft):
                use.add(view, job)

    def wake_s(self, view: View) -> float:
        """The next choice, if there is anyone to choose for."""
        return self._next_s if self._pool_of and self._member.choose == "every-period" else np.inf

    def _start(self, view: View, job: int, rule: int, draft: Draft) -> bool:
        if view.gang[job] > view.nodes.size.max(initial=0):
            return draft.start(job, int(view.gang[job]), rule)
        worth = self._worth(view, job)
        pool = best_instance(worth, self._room(view, job, worth, draft.free))
        if pool is not None:
            self._put(view, job, pool, draft)
        return pool is not None

    def _reconsider(self, view: View, job: int, draft: Draft) -> None:
        if job not in self._pool_of or not view.preemptible[job]:
            return
        now, worth = self._pool_of[job], self._worth(view, job)
        then = best_instance(worth, self._room(view, job, worth, draft.free))
        if then is None or then == now:
            return
        work_s = float(view.work_s(np.array([job]))[0])
        if self._move.pays(work_s, float(worth[now]), float(worth[then]), self._usd_per_h(view, job)[then]):
            draft.stop(job)
            self._put(view, job, then, draft)

    def _put(self, view: View, job: int, pool: int, draft: Draft) -> None:
        """One node of the pool, the one that keeps the least free."""
        nodes = self._fits(view, job, pool, draft.free)
        draft.put(job, [(int(nodes[np.argmin(draft.free[nodes])]), int(view.gang[job]))])
        self._pool_of[job] = pool

    def _worth(self, view: View, job: int) -> Floats:
        """(pools,) seconds of reference work for a dollar; 0 where it does not run."""
        gang, first = int(view.gang[job]), self._first
        level = np.where(gang <= view.nodes.island[first], ISLAND, NODE)
        return work_for_money(view.rates(job)[view.nodes.domain[first], level, gang], self._usd_per_h(view, job))

    def _usd_per_h(self, view: View, job: int) -> Floats:
        usd_per_h: Floats = np.nan_to_num(view.tariffs.at(view.now_s), nan=UNKNOWN_USD_PER_H) * int(view.gang[job])
        return usd_per_h

    def _room(self, view: View, job: int, worth: Floats, free: Ints) -> NDArray[np.bool_]:
        """(pools,) where the job may go and finds a node."""
        fits = [len(self._fits(view, job, pool, free)) > 0 for pool in range(len(self._nodes))]
        room: NDArray[np.bool_] = np.array(fits) & self._allowed(view, job, worth > 0)
        return room

    def _allowed(self, view: View, job: int, runs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(pools,) the strictest of what is wished for that leaves a pool on which the job `runs`."""
        steady = ~self._spot | self._reclaims.may_use_spot(job, view.now_s)
        wishes = (self._open & steady, self._open, steady)
        return next((wish for wish in wishes if (runs & wish).any()), runs)

    def _fits(self, view: View, job: int, pool: int, free: Ints) -> Ints:
        nodes: Ints = self._nodes[pool]
        return nodes[free[nodes] >= int(view.gang[job])]
