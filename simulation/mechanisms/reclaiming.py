"""Preemption for entitlement: tenants above their share give GPUs back when one below its share waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.kernels.place import CONSOLIDATE_BEST
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.adjusting import Adjusting
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.preemption import Preemption
from simulation.mechanisms.sequence import Sequence
from simulation.records import Floats


@dataclass(frozen=True)
class ReclaimEntitlement(Preemption, Adjusting):
    """On a full cluster the latest jobs of the tenant most above its share are killed for one that is below it."""

    member: ClassVar[str] = "reclaim-entitlement"
    kills: ClassVar[bool] = True
    full: float = parameter(
        0.9, "GPUs in use above which anyone is killed", unit="fraction", low=0.0, high=1.0, source="Philly, recalled"
    )

    def now(self, now_s: float) -> bool:
        return False

    def begin(self, view: View) -> Reclaimer:
        return Reclaimer(self.full)


class Reclaimer:
    """One job is helped at a decision: the first that waits although its tenant would stay within its share."""

    def __init__(self, full: float) -> None:
        self._full = full

    def refresh(self, view: View, news: News) -> None:
        """Nothing is remembered."""

    def adjust(self, view: View, sequence: Sequence | None, draft: Draft) -> None:
        assert sequence is not None
        if draft.free.sum() >= (1 - self._full) * view.usable_gpus or not view.waiting_count:
            return
        waiting, share = sequence.waiting(view), view.entitled * view.usable_gpus
        held = np.bincount(view.tenant[view.running], view.held[view.running], view.tenants)
        below = waiting[held[view.tenant[waiting]] + view.gang[waiting] <= share[view.tenant[waiting]]]
        if not len(below):
            return
        for job in waiting.tolist():
            held[view.tenant[job]] += draft.gpus(job)  # of those that are about to start
        for job in below.tolist():
            tenant = int(view.tenant[job])
            if not draft.pieces(job) and held[tenant] + view.gang[job] <= share[tenant]:
                self._help(view, job, held - share, draft)
                return

    def wake_s(self, view: View) -> float:
        return np.inf

    def _help(self, view: View, job: int, above: Floats, draft: Draft) -> None:
        """Stop jobs of tenants that are `above` (tenants,) their share, the latest first, until `job` fits."""
        before, above = draft.snapshot(), above.copy()
        running = [other for other in view.running.tolist() if view.preemptible[other] and draft.pieces(other)]
        latest = sorted(running, key=lambda other: (-view.began_s(np.array([other]))[0], other))
        while (tenant := int(np.argmax(above))) is not None and above[tenant] > 0:
            victim = next((other for other in latest if view.tenant[other] == tenant), None)
            if victim is None:
                above[tenant] = 0.0
                continue
            latest.remove(victim)
            above[tenant] -= draft.gpus(victim)
            draft.stop(victim)
            if draft.start(job, int(view.gang[job]), CONSOLIDATE_BEST):
                return
        draft.restore(before)
