"""The allocation program: shares of the time on each type of GPU by a linear program, made true in rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.gang_rates import gang_rates
from simulation.mechanisms.programs.movable import Movable, movable
from simulation.mechanisms.programs.objectives import OBJECTIVES
from simulation.mechanisms.programs.partition import deal, solve_in_parts
from simulation.mechanisms.programs.rounds import charge, make_promises
from simulation.mechanisms.sizing import Sizing
from simulation.records import Floats, Ints


@dataclass(frozen=True)
class AllocationProgram(Sizing):
    """Each job is promised a share of the time on each type of GPU; rounds serve who is furthest behind its promise."""

    member: ClassVar[str] = "allocation-program"
    plans: ClassVar[bool] = True
    objective: str = parameter(
        "max-min", "what shares aim at", choices=tuple(OBJECTIVES), source="Gavel repository, policies",
    )  # fmt: skip
    aware: bool = parameter(
        True, "whether it minds how fast a job is on each type; else all types count alike, and are served at random",
        source="Gavel repository, policies with and without throughputs",
    )  # fmt: skip
    round_s: float = parameter(
        360.0, "length of a round", unit="s", low=1.0, high=86_400.0, source="Gavel repository, simulation driver",
    )  # fmt: skip
    renew_s: float = parameter(
        1920.0, "least time between two allocations", unit="s", low=0.0, high=86_400.0,
        source="Gavel repository, scheduler",
    )  # fmt: skip
    parts: int = parameter(
        1, "jobs and GPUs are dealt out to so many programs, solved alone", unit="programs", low=1, high=64,
        source="POP repository, run log: 1, 2, 4 and 8",
    )  # fmt: skip
    split_above: float = parameter(
        0.75, "a gang that is more of the largest type of a part is split over several parts", unit="of a part",
        low=0.05, high=1.0, source="POP, SOSP 2021: client splitting, recalled; the value is ours",
    )  # fmt: skip

    solve_s: float = parameter(
        0.006, "time to solve a program of 1,000 shares (jobs x types), of which only a record is kept", unit="s",
        low=0.0, high=3600.0, source="ours: this solver on one core",
    )  # fmt: skip
    solve_growth: float = parameter(
        2.0, "power of the number of shares by which that time grows", unit="1", low=1.0, high=4.0,
        source="ours; POP repository, run log: 1.27, 0.44, 0.19 and 0.12 s in 1, 2, 4 and 8 parts",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def solve_time_s(self, shares: int) -> float:
        """Modelled, of one program. Parts are solved at once, so that the largest counts."""
        return float(self.solve_s * (shares / 1000.0) ** self.solve_growth)

    def program(self, view: View, rng: np.random.Generator) -> AllocationRounds:
        return AllocationRounds(self, view, rng)


class AllocationRounds:
    """Between rounds nothing changes: GPUs of a job that ends are idle until then, and whoever comes waits."""

    def __init__(self, rule: AllocationProgram, view: View, rng: np.random.Generator) -> None:
        jobs, types = len(view.submit_s), len(view.nodes.domain_speed)
        self._rule, self._rng = rule, rng
        self._promises = make_promises(jobs, types, rule.round_s / 2)
        self._rate = np.zeros((jobs, types))
        self._may = np.zeros((jobs, types), np.bool_)  # where a job that was promised something runs at all
        self._left_s, self._isolated_s, self._equal_rate = (np.zeros(jobs) for _ in range(3))
        self._known = np.zeros(jobs, np.bool_)
        self._stale = False  # whether promises should be renewed
        self._gpus = np.zeros(types, np.int64)
        self._ends_s = -math.inf
        self._served: dict[int, int] = {}  # job -> type that it runs on in this round
        self._served_from_s = 0.0

    def refresh(self, view: View, news: News) -> None:
        """Book what ran since the last decision; take in who has come and who has ended."""
        ran = {*view.running.tolist(), *news.finished.tolist(), *news.waiting.tolist()}
        self._served = {job: kind for job, kind in self._served.items() if job in ran}  # not who found no room
        for job, kind in self._served.items():
            charge(self._promises, job, kind, view.now_s - self._served_from_s)
        self._served_from_s = view.now_s
        self._served = {job: kind for job, kind in self._served.items() if view.held[job]}
        new = np.sort(news.waiting[~self._known[news.waiting]])
        if len(new):
            self._known[new] = True
            self._left_s[new] = view.total_work_s(new)
            self._promises.admit(new)
        self._stale |= bool(len(new) or len(news.finished))

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        if view.now_s < self._ends_s and len(view.running):
            return None
        scene = movable(view, draft)
        if not len(scene.jobs):
            return scene.fixed
        kinds = self._choose(view, draft, scene)
        self._served = {int(job): int(kind) for job, kind in zip(scene.jobs, kinds, strict=True) if kind >= 0}
        self._ends_s = view.now_s + self._rule.round_s
        widest = sorted(self._served, key=lambda job: (-view.gang[job], job))
        return [*scene.fixed, *(Target(job, int(view.gang[job]), self._served[job]) for job in widest)]

    def wake_s(self, view: View) -> float:
        """The end of the round, while anyone runs."""
        return self._ends_s if len(view.running) and self._ends_s > view.now_s else math.inf

    def _choose(self, view: View, draft: Draft, scene: Movable) -> Ints:
        """(jobs,) the type on which each runs in this round; promises are renewed first, if they may be and must."""
        self._stale |= bool((scene.gpus != self._gpus).any())
        self._gpus = scene.gpus
        fresh_s = self._promises.renewed_s[0] + self._rule.renew_s
        if self._stale and (view.now_s >= fresh_s or not self._promises.promised.any()):
            self._renew(view, draft, scene)
        kinds = self._serve(view, scene)
        if self._stale and (kinds < 0).all():
            self._renew(view, draft, scene)
            kinds = self._serve(view, scene)
        return kinds

    def _serve(self, view: View, scene: Movable) -> Ints:
        jobs = scene.jobs
        return self._promises.choose(jobs, view.gang, self._may, self._order(jobs), scene.gpus)

    def _order(self, jobs: Ints) -> list[int]:
        """Types, the fastest first; where types count alike, at random."""
        rate = self._rate[jobs]
        if not self._rule.aware:
            return list(self._rng.permutation(rate.shape[1]))
        speed = (rate / np.maximum(1e-300, rate.max(axis=1, keepdims=True))).sum(axis=0)
        return list(np.argsort(-speed, kind="stable"))

    def _renew(self, view: View, draft: Draft, scene: Movable) -> None:
        jobs = scene.jobs
        left_s = view.work_s(jobs)
        done_s = np.maximum(0.0, self._left_s[jobs] - left_s)
        before = self._equal_rate[jobs]
        self._isolated_s[jobs] += np.divide(done_s, before, out=np.zeros(len(jobs)), where=before > 0)
        self._left_s[jobs], self._rate[jobs] = left_s, gang_rates(view, jobs)
        demand = self._demand(view, scene)
        self._equal_rate[jobs] = demand.equal_rate()
        self._promises.settle(jobs, view.now_s)
        self._promises.renew(jobs, self._solve(demand, draft))
        self._may[jobs] = self._rate[jobs] > 0
        self._stale = False

    def _demand(self, view: View, scene: Movable) -> Demand:
        jobs, rate = scene.jobs, self._rate[scene.jobs]
        return Demand(
            gang=view.gang[jobs].astype(np.float64),
            rate=rate if self._rule.aware else (rate > 0).astype(np.float64),
            gpus=scene.gpus,
            weight=np.ones(len(jobs)),
            left_s=self._left_s[jobs],
            age_s=view.now_s - view.submit_s[jobs],
            isolated_s=self._isolated_s[jobs],
            due_s=np.where(np.isnan(view.deadline_s[jobs]), np.inf, view.deadline_s[jobs] - view.now_s),
            price=_prices(view),
        )

    def _solve(self, demand: Demand, draft: Draft) -> Floats:
        parts = min(self._rule.parts, max(1, len(demand.gang)))
        part = deal(len(demand.gang), parts, self._rng) if parts > 1 else np.zeros(len(demand.gang), np.int64)
        largest = int(np.bincount(part, minlength=1).max(initial=0)) * len(demand.gpus)
        draft.count("programs_solved", parts)
        draft.count("solve_us", round(self._rule.solve_time_s(largest) * 1e6))
        return solve_in_parts(OBJECTIVES[self._rule.objective], demand, part, parts, self._rule.split_above)


def _prices(view: View) -> Floats:
    """(domains,) mean USD per GPU-hour over the nodes of each; all 1 where one is unknown."""
    nodes = view.nodes
    gpus = nodes.size.astype(np.float64)
    domains = len(nodes.domain_speed)
    total = np.bincount(nodes.domain, weights=gpus * view.tariffs.at(view.now_s)[nodes.pool], minlength=domains)
    price = total / np.maximum(1.0, np.bincount(nodes.domain, weights=gpus, minlength=domains))
    return price if (price > 0).all() else np.ones(domains)
