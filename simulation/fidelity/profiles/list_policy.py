"""The policy of simulators that keep lists: at each event the cluster is dealt out anew, down the list."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.rearrange import rearrange
from simulation.engine.kernels.walk import FIT_FIRST, make_working_copy
from simulation.engine.plan import Plan, make_plan
from simulation.engine.policy import Conduct, News
from simulation.engine.state import RUNNING
from simulation.engine.view import View
from simulation.fidelity.profiles.lists import QUEUES, ListSettings, make_lists
from simulation.fidelity.profiles.queues import next_look_s
from simulation.fidelity.profiles.refill import refill
from simulation.fidelity.profiles.relist import relist
from simulation.mechanisms.placement import Placement
from simulation.records import Ints


class ListPolicy:
    """Whoever fits, in the order of the list, runs; nothing keeps a job from being preempted.

    moving: nodes are emptied first, so that where jobs stand depends on the list alone (free migration); else a job
    that keeps its turn keeps its GPUs.
    """

    conduct = Conduct(reclaim_by_preemption=True, reclaim_by_shrinking=False)

    def __init__(self, settings: ListSettings, placement: Placement, moving: bool) -> None:
        self._settings, self.rule, self.moving = settings, placement.rule, moving

    def begin(self, view: View) -> None:
        self.lists = make_lists(self._settings, len(view.submit_s))
        self.plan = make_plan(view.cluster_gpus)
        self.limit, self.room = (
            np.full(view.tenants, np.inf),
            make_working_copy(view.ledger, len(view.submit_s), view.tenants),
        )

    def compiled(self) -> None:
        """No recipe; `ListLoop` is its compiled form."""

    def decide(self, view: View, news: News) -> Plan:
        s, lists = view.ledger, self.lists
        relist(s, lists, view.now_s, news.waiting, len(news.waiting))
        self.plan.clear()
        if self.moving:
            refill(s, lists.job, lists.tally[0], self.rule, self.plan)
        else:
            rearrange(s, lists.job, lists.tally[0], FIT_FIRST, self.rule, self.limit, self.room, self.plan)
        return self.plan

    def wake_s(self, view: View) -> float:
        if self.lists.rank != QUEUES:
            return np.inf
        soonest_s: float = next_look_s(view.ledger, self.lists, view.now_s)
        return soonest_s

    def last_first(self, view: View) -> Ints:
        jobs = self.lists.job[: self.lists.tally[0]]
        running: Ints = jobs[view.ledger.phase[jobs] == RUNNING][::-1]
        return running
