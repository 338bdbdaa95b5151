"""Why jobs wait: their tenant has its share, the cluster is full all the same, or what is free lies in the wrong place.

Put on record in seconds, summed over jobs, and as the number of jobs that each cause has held up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.records import Floats, Ints

FAIR_SHARE, FRAGMENTATION, FULL = range(3)
NAMES = ("fair_share", "fragmentation", "full_cluster")


def causes(gang: Ints, held: Floats, limit: Floats, share: Floats, free: int) -> Ints:
    """(jobs,) why each does not start, with GPUs that its tenant holds, may hold, and is entitled to.

    FRAGMENTATION: its tenant may have more, and enough GPUs are `free`, but no set of them will do at this attempt, or
    others are gathering them, or it pauses. Else FAIR_SHARE where it would take its tenant above its share, and FULL.
    """
    barred = (held > 0) & (held + gang > limit)
    beyond = held + gang > share
    found: Ints = np.where(barred | (beyond & (gang > free)), FAIR_SHARE, np.where(gang > free, FULL, FRAGMENTATION))
    return found


class WaitCauses:
    """The account of one run. Causes are looked at again where jobs have come, started or ended, or GPUs have."""

    def __init__(self, jobs: int) -> None:
        self._waiting: Ints = np.zeros(0, np.int64)
        self._cause: Ints = np.zeros(0, np.int64)
        self._noted_s, self._free = 0.0, -1
        self._changed = True  # since the causes were noted
        self._held_up = np.zeros((len(NAMES), jobs), np.bool_)
        self._waited_s = np.zeros(len(NAMES))
        self._told = np.zeros((2, len(NAMES)), np.int64)  # seconds and jobs on record

    def refresh(self, view: View, news: News) -> None:
        """Those that wait no longer, or again, did so for their cause up to now, unless they have run meanwhile."""
        gone = np.concatenate([news.waiting, news.finished])
        self._changed = len(gone) > 0 or view.waiting_count != len(self._waiting)
        if self._changed:
            self._charge(view, ~view.runs(self._waiting) & ~np.isin(self._waiting, gone))

    def note(self, view: View, waiting: Ints, started: list[int], limit: Floats, draft: Draft) -> None:
        """Those of `waiting` that are not `started` go on waiting; what is new of the account goes on record."""
        free = int(draft.free.sum())
        if not (self._changed or started or free != self._free):
            return
        if not self._changed:
            self._charge(view, np.ones(len(self._waiting), np.bool_))
        starts, running = np.isin(waiting, started), view.running
        tenant, gang = view.tenant[waiting], view.gang[waiting]
        held = np.bincount(view.tenant[running], view.held[running], view.tenants).astype(np.float64)
        held += np.bincount(tenant[starts], gang[starts], view.tenants)
        own, share = tenant[~starts], view.entitled * view.usable_gpus
        self._waiting, self._noted_s, self._free = waiting[~starts], view.now_s, free
        self._cause = causes(gang[~starts], held[own], limit[own], share[own], free)
        self._tell(draft)

    def _charge(self, view: View, stayed: NDArray[np.bool_]) -> None:
        past_s = view.now_s - self._noted_s
        if past_s > 0:
            jobs, cause = self._waiting[stayed], self._cause[stayed]
            self._waited_s += past_s * np.bincount(cause, minlength=len(NAMES))
            self._held_up[cause, jobs] = True

    def _tell(self, draft: Draft) -> None:
        totals = np.array([self._waited_s.astype(np.int64), self._held_up.sum(axis=1)])
        for of_cause, name in enumerate(NAMES):
            for more, what in zip((totals - self._told)[:, of_cause].tolist(), ("wait_s", "waits"), strict=True):
                if more:
                    draft.count(f"{name}_{what}", more)
        self._told = totals
