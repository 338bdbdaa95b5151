"""Who runs is chosen by counting GPUs, and placed afterwards: a choice that does not fit helps nobody.

The engine's own preemption stops a job only where another then starts. Here the whole cluster is a number of GPUs to
be handed out in an order; running jobs that get none are stopped, and what was chosen and finds no place waits on.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np
from numba import njit

from simulation.engine.kernels.place import CONSOLIDATE_BEST, place
from simulation.engine.kernels.rearrange import set_free
from simulation.engine.plan import STOPS, Plan, make_plan
from simulation.engine.policy import Conduct, News
from simulation.engine.state import RUNNING, WAITING, State
from simulation.engine.view import View
from simulation.records import Floats, Ints


class Ranks(NamedTuple):
    """Of the jobs asked for: lower first, then waiting ones first or last; and when a rank changes by itself."""

    rank: tuple[Floats, ...]  # the most significant first
    waiting_first: bool
    changes_s: float


class Ranking(Protocol):
    def __call__(self, view: View, jobs: Ints) -> Ranks: ...


def by_remaining(view: View, jobs: Ints) -> Ranks:
    """Least work left first. It changes by itself only where a running job passes a waiting one: nobody's turn."""
    return Ranks((view.remaining_s(jobs),), True, math.inf)


def by_service(low_gpu_s: float) -> Ranking:
    """Jobs of at most `low_gpu_s` GPU-seconds first, by submission; then the others, by submission."""

    def ranking(view: View, jobs: Ints) -> Ranks:
        served = view.attained_gpu_s(jobs)
        high = served > low_gpu_s
        climbing = (view.held[jobs] > 0) & ~high
        to_go_s = (low_gpu_s - served[climbing]) / view.held[jobs][climbing]
        return Ranks((high.astype(np.float64), view.submit_s[jobs]), False, view.now_s + to_go_s.min(initial=math.inf))

    return ranking


@njit(cache=True)
def choose(s: State, order: Ints, gpus: int, p: Plan, placed: Ints) -> int:
    """Write into `p` the running jobs of `order` that get none of `gpus`, and the waiting ones that get some and fit.

    Writes the latter into `placed` as well, in their order, and returns how many they are.
    """
    free, gets = s.free.copy(), np.zeros(len(order), np.bool_)
    for i in range(len(order)):
        job = order[i]
        gets[i] = s.gang[job] <= gpus
        if gets[i]:
            gpus -= s.gang[job]
        elif s.phase[job] == RUNNING:
            set_free(s, free, job, 1)
            p.stop[p.tally[STOPS]] = job
            p.tally[STOPS] += 1
    count = 0
    for i in range(len(order)):
        job = order[i]
        if gets[i] and s.phase[job] == WAITING and place(s, free, p, job, s.gang[job], CONSOLIDATE_BEST):
            placed[count] = job
            count += 1
    return count


class ChooseThenPlace:
    """A policy that chooses at multiples of `every_s`, and passes over those at which nothing can have changed."""

    conduct = Conduct(reclaim_by_preemption=True, reclaim_by_shrinking=False)

    def __init__(self, ranking: Ranking, every_s: float) -> None:
        self._ranking, self._every_s = ranking, every_s

    def begin(self, view: View) -> None:
        jobs = len(view.submit_s)
        self._plan = make_plan(view.cluster_gpus)
        self._placed = np.zeros(jobs, np.int64)
        self._listed = np.zeros(jobs, np.int64)  # when a job joined the list that it is in
        self._joined = 0
        self._wake_s = math.inf

    def compiled(self) -> None:
        return None

    def decide(self, view: View, news: News) -> Plan | None:
        """Nobody is stopped where nobody waits."""
        self._join(news.waiting)
        if not view.waiting_count:
            return None
        if view.now_s % self._every_s:
            self._wake_s = self._next_s(view.now_s)
            return None
        changes_s = self._choose(view)
        self._wake_s = self._next_s(changes_s if self._plan.empty else view.now_s)
        return self._plan

    def wake_s(self, view: View) -> float:
        return self._wake_s if view.waiting_count else math.inf

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]

    def _choose(self, view: View) -> float:
        """Make the plan; when ranks change by themselves."""
        jobs = np.concatenate([view.waiting, view.running])
        ranks, runs = self._ranking(view, jobs), view.runs(jobs)
        side = runs if ranks.waiting_first else ~runs
        order = jobs[np.lexsort((self._listed[jobs], side, *reversed(ranks.rank)))]
        self._plan.clear()
        count = choose(view.ledger, order, view.cluster_gpus, self._plan, self._placed)
        self._join(self._placed[:count])
        return ranks.changes_s

    def _join(self, jobs: Ints) -> None:
        """To the end of a list; every job is in one of two, of the waiting or of the running."""
        self._listed[jobs] = np.arange(self._joined, self._joined + len(jobs))
        self._joined += len(jobs)

    def _next_s(self, after_s: float) -> float:
        """The first choice after an instant."""
        return after_s if math.isinf(after_s) else (math.floor(after_s / self._every_s) + 1) * self._every_s
