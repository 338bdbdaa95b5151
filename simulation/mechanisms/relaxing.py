"""Placement that relaxes after waiting: every failed attempt makes a gang content with less locality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.holding import Pieces
from simulation.engine.kernels.place import CONSOLIDATE_BEST
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.attempts import Attempts, Relaxation
from simulation.mechanisms.locality import Nodes, find, gather
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.placement import Placement
from simulation.mechanisms.placer import TenantUse
from simulation.mechanisms.sequence import Sequence
from simulation.mechanisms.wait_causes import WaitCauses
from simulation.records import Floats, Ints

OURS = "ours: published is only that retries are many, and that an attempt takes 2 to 3 minutes (recalled)"


@dataclass(frozen=True)
class RelaxAfterWaiting(Placement):
    """A gang insists on the fewest nodes of one rack, after failed attempts on one rack, after more on nothing.

    Everyone who is at an attempt gets a look, in order; who fails pauses, and comes back.
    """

    member: ClassVar[str] = "relax-after-waiting"
    give_up_nodes: int = parameter(
        3, "failed attempts until any nodes of a rack will do", low=0, high=10_000, source=OURS
    )
    give_up_rack: int = parameter(6, "failed attempts until GPUs anywhere do", low=0, high=10_000, source=OURS)
    gather_s: float = parameter(150.0, "time of an attempt", unit="s", low=1.0, high=3600.0, source=OURS)
    backoff_s: float = parameter(120.0, "pause after a failed attempt", unit="s", low=1.0, high=3600.0, source=OURS)
    hold: bool = parameter(True, "an attempt keeps the GPUs that it could use from others")

    @property
    def rule(self) -> int:
        return CONSOLIDATE_BEST

    def placer(self, view: View) -> AttemptPlacer:
        relaxation = Relaxation(self.give_up_nodes, self.give_up_rack, self.gather_s, self.backoff_s)
        return AttemptPlacer(view, relaxation, self.hold)


class AttemptPlacer:
    """Attempts of the waiting jobs of one run."""

    def __init__(self, view: View, relaxation: Relaxation, hold: bool) -> None:
        self._attempts, self._hold = Attempts(len(view.submit_s), relaxation), hold
        self._causes = WaitCauses(len(view.submit_s))
        self._domains = [np.flatnonzero(view.nodes.domain == d) for d in range(len(view.nodes.domain_speed))]

    def refresh(self, view: View, news: News) -> None:
        self._causes.refresh(view, news)
        self._attempts.begin(news.waiting, view.now_s)
        self._attempts.advance(view.waiting, view.now_s)

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        use = TenantUse(view, limit)
        free = draft.free.copy()  # of what attempts hold on to, none
        waiting, started = sequence.waiting(view), []
        for job in waiting[self._attempts.gathers(waiting)].tolist():
            if not free.any():
                break
            if not use.allows(view, job):
                continue
            pieces = self._find(view, job, free)
            if pieces is not None:
                draft.put(job, pieces)
                use.add(view, job)
                started.append(job)
            for node, got in pieces or (self._gather(view, job, free) if self._hold else []):
                free[node] -= got
        self._causes.note(view, waiting, started, limit, draft)

    def wake_s(self, view: View) -> float:
        return self._attempts.next_s(view.waiting)

    def _find(self, view: View, job: int, free: Ints) -> Pieces | None:
        for domain in view.permitted(job):
            nodes = self._domains[domain]
            pieces = find(self._nodes(view, nodes, free), int(view.gang[job]), self._attempts.locality(job))
            if pieces is not None:
                return [(int(nodes[at]), gpus) for at, gpus in pieces]
        return None

    def _gather(self, view: View, job: int, free: Ints) -> Pieces:
        """What the attempt holds on to, in the first domain that is permitted."""
        nodes = self._domains[view.permitted(job)[0]]
        pieces = gather(self._nodes(view, nodes, free), int(view.gang[job]), self._attempts.locality(job))
        return [(int(nodes[at]), gpus) for at, gpus in pieces]

    def _nodes(self, view: View, nodes: Ints, free: Ints) -> Nodes:
        return Nodes(free[nodes], view.nodes.size[nodes], view.nodes.rack[nodes])
