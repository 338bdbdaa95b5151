"""Guaranteed deadlines in whole leases, and everyone else on the GPUs that a lease leaves free."""

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
from simulation.mechanisms.programs.blocks import place_blocks
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, close_rates
from simulation.mechanisms.programs.lease_plan import (
    Promises,
    earliest_deadline,
    feasible_plan,
    plan_leases,
    planning_gpus,
)
from simulation.mechanisms.sizing import Sizing
from simulation.records import Ints


@dataclass(frozen=True)
class LeasePlan(Sizing):
    """Jobs with a deadline are accepted if a plan in leases keeps every promise; accepted ones run as late as is safe.

    At a lease's begin everyone is placed anew, guaranteed jobs first. In between, free GPUs go to jobs that wait:
    those without a promise by least remaining GPU-time, then accepted ones by slack, then those whose deadline is lost.
    """

    member: ClassVar[str] = "lease-plan"
    plans: ClassVar[bool] = True
    lease_s: float = parameter(
        1200.0, "length of a lease", unit="s", low=60.0, high=86_400.0, source="Chronus artifact: 20 min"
    )  # fmt: skip
    overhead_s: float = parameter(
        30.0, "checkpoint and resume that a lease is planned with, times 1 + log2 of the GPUs", unit="s", low=0.0,
        high=3600.0, source="Chronus artifact: 0.1 + 0.4 min",
    )  # fmt: skip
    margin: float = parameter(
        1.1, "factor on run times in plans", unit="1", low=1.0, high=5.0, source="Chronus artifact"
    )  # fmt: skip
    slot_s: float = parameter(
        300.0, "time between two admissions, and fillings of free GPUs", unit="s", low=1.0, high=86_400.0,
        source="Chronus artifact: 5 min",
    )  # fmt: skip
    tolerate: float = parameter(
        1.0, "a deadline that cannot be kept may be moved to at most this many times its span", unit="1", low=1.0,
        high=10.0, source="Chronus artifact",
    )  # fmt: skip
    search_nodes: int = parameter(
        200, "nodes that the search for a plan may look at", unit="nodes", low=1, high=1_000_000
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> LeaseProgram:
        return LeaseProgram(self)


class LeaseProgram:
    """Remembers whom it accepted with which deadline, and the last plan."""

    def __init__(self, rule: LeasePlan) -> None:
        self._rule, self._homes = rule, Homes(whole=True)
        self._asked: set[int] = set()
        self._deadline_s: dict[int, float] = {}  # of accepted jobs
        self._plan: dict[int, set[int]] = {}  # accepted job -> numbers of its leases
        self._left_s: dict[int, float] = {}  # at this decision

    def refresh(self, view: View, news: News) -> None:
        for job in news.finished.tolist():
            self._deadline_s.pop(job, None)
            self._plan.pop(job, None)

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        parts, targets = self._homes.parts(view, draft, self._deadline_s)
        for part in parts:
            self._left_s = {}
            if _is_multiple(view.now_s, self._rule.slot_s):
                self._accept(view, part)
            begins = _is_multiple(view.now_s, self._rule.lease_s)
            if begins:
                self._plan_lease(view, part)
            targets += self._place(view, part, begins)
        return targets

    def wake_s(self, view: View) -> float:
        """The next slot or lease, while anyone is there."""
        if not (len(view.running) or view.waiting_count):
            return math.inf
        return min((math.floor(view.now_s / step_s) + 1) * step_s for step_s in (self._rule.slot_s, self._rule.lease_s))

    def _accept(self, view: View, part: EqualGpus) -> None:
        """Promise new jobs their deadlines, or later ones that are tolerated, as far as plans allow."""
        for job in part.jobs:
            if job in self._asked or math.isnan(view.deadline_s[job]):
                continue
            self._asked.add(job)
            deadline_s = self._deadline_that_fits(view, part, job)
            if deadline_s is not None:
                self._deadline_s[job] = deadline_s

    def _deadline_that_fits(self, view: View, part: EqualGpus, job: int) -> float | None:
        rule, first = self._rule, math.ceil(view.now_s / self._rule.lease_s)
        asked_s = float(view.deadline_s[job])
        latest_s = view.submit_s[job] + rule.tolerate * (asked_s - view.submit_s[job])
        accepted = [other for other in part.jobs if other in self._deadline_s]
        promises = self._promises(
            view, part, {**{other: self._deadline_s[other] for other in accepted}, job: asked_s}, first
        )
        if feasible_plan(promises, part.gpus, rule.search_nodes) is not None:
            return asked_s
        latest = math.floor(latest_s / rule.lease_s) - first
        if latest <= promises.due[-1]:
            return None
        due = earliest_deadline(promises, len(accepted), latest, part.gpus, rule.search_nodes)
        return None if due is None else (first + due) * rule.lease_s

    def _promises(self, view: View, part: EqualGpus, deadlines_s: dict[int, float], first: int) -> Promises:
        """What `deadlines_s` ask of the leases from number `first` on."""
        rule, gpus = self._rule, _planned(view, part, list(deadlines_s))
        needs = []
        for job, planned in zip(deadlines_s, gpus.tolist(), strict=True):
            left_s = self._run_time_left_s(view, part, job)
            if first - 1 in self._plan.get(job, ()) and view.held[job]:
                left_s -= first * rule.lease_s - view.now_s  # it runs on until this lease ends
            stretch = 1.0 + (1.0 + math.log2(planned)) * rule.overhead_s / rule.lease_s
            needs.append(math.ceil(rule.margin * max(0.0, left_s) * stretch / rule.lease_s))
        due = [math.floor(deadline_s / rule.lease_s) - first for deadline_s in deadlines_s.values()]
        return Promises(gpus, np.array(needs, np.int64), np.array(due, np.int64))

    def _run_time_left_s(self, view: View, part: EqualGpus, job: int) -> float:
        """On the GPUs asked for."""
        if job not in self._left_s:
            rate = float(close_rates(view, job, part.domain, view.gang[[job]])[0])
            self._left_s[job] = float(view.work_s(np.array([job]))[0]) / rate if rate > 0 else math.inf
        return self._left_s[job]

    def _plan_lease(self, view: View, part: EqualGpus) -> None:
        """Plan the leases from now on, without those who are lost; the last plan stands where none is found."""
        now = round(view.now_s / self._rule.lease_s)
        accepted = {job: self._deadline_s[job] for job in part.jobs if job in self._deadline_s}
        promises = self._promises(view, part, accepted, now)
        lost = promises.needs > promises.due
        for job, late in zip(list(accepted), lost, strict=True):
            if late:
                del accepted[job], self._deadline_s[job]
                self._plan.pop(job, None)
        kept = Promises(*(column[~lost] for column in promises))
        others = any(job not in accepted for job in part.jobs)
        plan = plan_leases(kept, part.gpus, not others, self._rule.search_nodes)
        if plan is not None:
            self._plan |= {
                job: set((now + np.flatnonzero(row)).tolist()) for job, row in zip(accepted, plan, strict=True)
            }

    def _place(self, view: View, part: EqualGpus, begins: bool) -> list[Target]:
        """Guaranteed jobs in their leases, then others one by one; whoever runs stays until the lease ends."""
        lease = math.floor(view.now_s / self._rule.lease_s + 1e-9)
        sure = [job for job in part.jobs if lease in self._plan.get(job, ())]
        placed = part.held
        if begins:
            placed = place_blocks({job: int(view.gang[job]) for job in sure}, part.held, part.room)
        room = part.room.copy()
        for pieces in placed.values():
            for node, gpus_there in pieces:
                room[node] -= gpus_there
        wait = set(part.jobs) - set(placed) if room.any() else set()
        for job in sorted(wait, key=lambda job: self._turn(view, part, job, job in sure)):
            found = place_blocks({job: int(view.gang[job])}, part.held, room)
            placed = placed | found
            for node, gpus_there in found.get(job, ()):
                room[node] -= gpus_there
        return [Target(job, int(view.gang[job]), pieces=pieces) for job, pieces in placed.items()]

    def _turn(self, view: View, part: EqualGpus, job: int, sure: bool) -> tuple[int, float, int]:
        """Guaranteed first; then those without promise, those accepted, those whose deadline is lost."""
        gpus, left_s = int(view.gang[job]), self._run_time_left_s(view, part, job)
        if sure:
            return 0, 0.0, job
        if job in self._deadline_s:
            return 2, (self._deadline_s[job] - view.now_s - left_s) * gpus, job
        lost = view.now_s + left_s > view.deadline_s[job]  # never of a job without a deadline
        return 3 if lost else 1, left_s * gpus, job


def _planned(view: View, part: EqualGpus, jobs: list[int]) -> Ints:
    """GPUs that plans set aside for each job, so that all of a plan find nodes."""
    largest = max(1, int(part.room.max()))  # 1 where every node is down: then no plan fits
    return np.array([planning_gpus(int(view.gang[job]), largest) for job in jobs], np.int64)


def _is_multiple(now_s: float, step_s: float) -> bool:
    return now_s == round(now_s / step_s) * step_s
