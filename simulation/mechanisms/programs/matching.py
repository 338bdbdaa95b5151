"""Matching: waiting jobs and free GPUs of unlike models, brought together so that completion times are least in sum."""

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
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.gang_rates import gang_rates
from simulation.mechanisms.programs.positions import Slots, match
from simulation.mechanisms.sizing import Sizing
from simulation.records import Ints


@dataclass(frozen=True)
class PositionMatching(Sizing):
    """Jobs that wait are matched to GPUs and to positions in their queues by least sum of completion times.

    The first of each queue starts, the others are matched anew when a job comes or ends. Nobody is preempted.
    """

    member: ClassVar[str] = "matching"
    plans: ClassVar[bool] = True
    eligible: float = parameter(
        1.0, "share of the waiting jobs, the oldest first, that is matched; at least as many as there are free slots",
        unit="fraction", low=0.0, high=1.0, source="alpha of AlloX; default of its port in Gavel's repository",
    )  # fmt: skip
    busy: bool = parameter(
        True, "GPUs in use are matched too, from when they will be free: a job may wait for one; else free ones only",
        source="AlloX, EuroSys 2020, recalled; the port in Gavel's repository has free ones only",
    )  # fmt: skip
    most: int = parameter(200, "jobs in one matching, the oldest", unit="jobs", low=1, high=5000)

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> MatchedQueues:
        return MatchedQueues(self, view)


class MatchedQueues:
    """Remembers run times on each type. A slot is so many GPUs close together as the gangs of one width need."""

    def __init__(self, rule: PositionMatching, view: View) -> None:
        self._rule = rule
        self._time_s = np.full((len(view.submit_s), len(view.nodes.domain_speed)), np.inf)

    def refresh(self, view: View, news: News) -> None:
        """What waits anew is measured: run time left on each type."""
        jobs = news.waiting
        rate = gang_rates(view, jobs)
        left_s = np.broadcast_to(view.work_s(jobs)[:, None], rate.shape)
        self._time_s[jobs] = np.divide(left_s, rate, out=np.full(rate.shape, np.inf), where=rate > 0)

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        waiting = view.waiting
        if not len(waiting) or not draft.free.any():
            return None
        targets = [Target(job, int(view.held[job]), pieces=tuple(draft.pieces(job))) for job in view.running.tolist()]
        free = draft.free.copy()
        for width in dict.fromkeys(view.gang[waiting].tolist()):  # that of the oldest job first
            jobs = waiting[view.gang[waiting] == width]
            for job, domain in self._begin(view, jobs, _slots(view, free, width)):
                targets.append(Target(job, width, domain))
                _take(free, np.flatnonzero(view.nodes.domain == domain), width)
        return targets

    def wake_s(self, view: View) -> float:
        """Matched anew only at events."""
        return math.inf

    def _begin(self, view: View, jobs: Ints, room: Ints) -> list[tuple[int, int]]:
        """(job, domain) of those that are to start now, of jobs of one width; room (domains,): free slots."""
        if not room.any():
            return []
        count = max(math.floor(self._rule.eligible * len(jobs)), int(room.sum()))
        jobs = jobs[: min(count, self._rule.most)]
        free = np.repeat(np.arange(len(room)), room)
        slots = self._with_busy(view, free, int(view.gang[jobs[0]]))
        matching = match(self._time_s[jobs], slots)
        heads = matching.heads()
        now = heads[matching.slot[heads] < len(free)]
        return [(int(jobs[row]), int(slots.kind[matching.slot[row]])) for row in now]

    def _with_busy(self, view: View, free: Ints, width: int) -> Slots:
        """Slots by their domains, the free ones first."""
        running = view.running[view.held[view.running] == width] if self._rule.busy else view.running[:0]
        domain = np.array([view.nodes.domain[pieces_of(view, job)[0][0]] for job in running.tolist()], np.int64)
        left_s = view.work_s(running) / gang_rates(view, running)[np.arange(len(running)), domain]
        return Slots(np.concatenate([free, domain]), np.concatenate([np.zeros(len(free)), left_s]))


def _slots(view: View, free: Ints, width: int) -> Ints:
    """(domains,) gangs of a width that free GPUs hold: each on one node, unless the nodes are too small for it."""
    nodes, domains = view.nodes, len(view.nodes.domain_speed)
    on_nodes = np.bincount(nodes.domain, weights=free // width, minlength=domains)
    over_nodes = np.bincount(nodes.domain, weights=free, minlength=domains) // width
    widest = np.zeros(domains, np.int64)
    np.maximum.at(widest, nodes.domain, nodes.size)
    return np.where(widest >= width, on_nodes, over_nodes).astype(np.int64)


def _take(free: Ints, nodes: Ints, width: int) -> None:
    """Take GPUs of one node where they fit best, else of the fullest ones."""
    for node in sorted(nodes.tolist(), key=lambda node: (free[node] < width, free[node])):
        taken = min(width, int(free[node]))
        free[node] -= taken
        width -= taken
