"""The multi-round plan: many rounds ahead, for jobs whose rate changes in training, so that all end in fair time."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.prediction.phases import time_left
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, close_levels
from simulation.mechanisms.programs.fair_finish import FairFinishes
from simulation.mechanisms.programs.round_plan import Asks, Effort, Window, plan_rounds, rounds_needed
from simulation.mechanisms.sizing import Sizing
from simulation.records import Floats

MOST_FOLLOWED = 8  # rounds of a plan, before the next one is made
MOST_WEIGHT = 1e4  # of a job that is late: solvers cannot tell more apart


@dataclass(frozen=True)
class MultiRoundPlan(Sizing):
    """Rounds are planned ahead: mean logarithm of progress, less a weight times the longest time that will be left.

    Nobody is to end later than on an equal part of the GPUs; where that cannot be, who would be late counts more.
    GPUs that a plan leaves idle go to the jobs with most time left.
    """

    member: ClassVar[str] = "multi-round-plan"
    plans: ClassVar[bool] = True
    round_s: float = parameter(
        120.0, "length of a round", unit="s", low=1.0, high=86_400.0, source="Shockwave artifact, script for 32 GPUs",
    )  # fmt: skip
    rounds: int = parameter(
        20, "rounds in a plan", unit="rounds", low=1, high=100, source="Shockwave artifact, script for 32 GPUs",
    )  # fmt: skip
    makespan: float = parameter(
        0.001, "what a second of the longest time left after the plan costs", unit="1/s", low=0.0, high=100.0,
        source="Shockwave artifact, script for 32 GPUs; 10 for 64 to 256",
    )  # fmt: skip
    late_power: float = parameter(
        12.0, "power of the finish-time ratio by which a job counts that would be late", unit="1", low=0.0, high=100.0,
        source="Shockwave artifact, script for 32 GPUs; 5 for 64 to 256",
    )  # fmt: skip
    ratio: float = parameter(
        1.0, "allowed time to the end, over that on an equal part", unit="1", low=0.1, high=1000.0,
        source="Shockwave artifact",
    )  # fmt: skip
    epochs: int = parameter(
        50, "equal parts of a job's work after which its mode is learnt from", unit="epochs", low=1, high=10_000,
    )  # fmt: skip
    gap: float = parameter(
        0.001, "the search ends so close to the best plan", unit="relative", low=0.0, high=1.0,
        source="Shockwave artifact",
    )  # fmt: skip
    search_nodes: int = parameter(
        200, "nodes that the search for a plan may look at", unit="nodes", low=1, high=1_000_000,
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> PlannedRounds:
        return PlannedRounds(self)


@dataclass
class _Course:
    """What is known of one job on the GPUs of its domain."""

    epoch_s: Floats  # (modes,)
    seen: Floats  # (modes,) epochs done in each
    done: float = 0.0  # progress, 0 to 1

    def learn(self, progress: float, mode: int, epochs: int) -> None:
        self.seen[mode] += max(0.0, progress - self.done) * epochs
        self.done = max(self.done, progress)

    def left_s(self, epochs: int) -> float:
        """inf where it has a mode in which it cannot run."""
        known = np.isfinite(self.epoch_s).all()
        return time_left(self.epoch_s, self.seen, epochs).mean_s if known else math.inf

    @property
    def spent_s(self) -> float:
        return float(self.seen @ self.epoch_s)

    def pace_s(self, mode: int) -> float:
        """Mean time of an epoch so far, the present one included."""
        counts = self.seen.copy()
        counts[mode] += 1.0
        return float(counts @ self.epoch_s / counts.sum())


class PlannedRounds:
    """Follows a plan of each domain until a job comes or ends, or for some rounds; between rounds nothing changes."""

    def __init__(self, rule: MultiRoundPlan) -> None:
        self._rule, self._homes, self._finishes = rule, Homes(), FairFinishes()
        self._courses: dict[tuple[int, int], _Course] = {}
        self._plans: dict[int, deque[frozenset[int]]] = {}  # domain -> who runs, by round
        self._gpus: dict[int, int] = {}  # of each domain, when its plan was made
        self._live: dict[int, frozenset[int]] = {}
        self._ends_s = -math.inf

    def refresh(self, view: View, news: News) -> None:
        """Everything is read from the view."""

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        if view.now_s < self._ends_s and len(view.running):
            return None
        self._ends_s = view.now_s + self._rule.round_s
        promised = {job for plan in self._plans.values() for runs in plan for job in runs}
        parts, targets = self._homes.parts(view, draft, promised)
        for part in parts:
            targets += self._round(view, part)
        return targets

    def wake_s(self, view: View) -> float:
        """The end of the round, while anyone runs."""
        return self._ends_s if len(view.running) and self._ends_s > view.now_s else math.inf

    def _round(self, view: View, part: EqualGpus) -> list[Target]:
        """Who runs in the round that begins now: those planned for it, then those with most time left that fit."""
        left_s = {job: self._observed(view, part, job).left_s(self._rule.epochs) for job in part.jobs}
        domain, live = part.domain, frozenset(part.jobs)
        if self._live.get(domain) != live:
            self._estimate(view, part, left_s)
        if not self._plans.get(domain) or self._live.get(domain) != live or self._gpus.get(domain) != part.gpus:
            self._plans[domain] = self._planned(view, part, left_s)
            self._live[domain], self._gpus[domain] = live, part.gpus
        planned, free, runs = self._plans[domain].popleft(), part.gpus, []
        for job in sorted(part.jobs, key=lambda job: (job not in planned, -left_s[job], job)):
            if view.gang[job] <= free and math.isfinite(left_s[job]):
                runs.append(job)
                free -= int(view.gang[job])
        return [
            Target(job, int(view.gang[job]), domain) for job in sorted(runs, key=lambda job: (-view.gang[job], job))
        ]

    def _observed(self, view: View, part: EqualGpus, job: int) -> _Course:
        """The course of a job up to now; what it did since the last look counts to its present mode."""
        key, epochs, one = (job, part.domain), self._rule.epochs, np.array([job])
        whole_s = float(view.total_work_s(one)[0])
        if key not in self._courses:
            level = int(close_levels(view, part.domain, view.gang[one])[0])
            rate = view.phase_rates(job)[:, part.domain, level, int(view.gang[job])]
            epoch_s = np.divide(whole_s / epochs, rate, out=np.full(len(rate), np.inf), where=rate > 0)
            self._courses[key] = _Course(epoch_s, np.zeros(len(rate)))
        course = self._courses[key]
        course.learn(1.0 - float(view.work_s(one)[0]) / max(whole_s, 1e-300), view.phase(job), epochs)
        return course

    def _estimate(self, view: View, part: EqualGpus, left_s: dict[int, float]) -> None:
        """When each job would end on its equal part."""
        for job in (job for job in part.jobs if math.isfinite(left_s[job])):
            run_s = self._courses[job, part.domain].spent_s + left_s[job]
            self._finishes.estimate(job, view.now_s, float(view.submit_s[job]) + run_s / self._equal(view, part, job))

    def _equal(self, view: View, part: EqualGpus, job: int) -> float:
        """The part of its gang that a job has on an equal part of the GPUs."""
        return min(1.0, part.gpus / (len(part.jobs) * int(view.gang[job])))

    def _planned(self, view: View, part: EqualGpus, left_s: dict[int, float]) -> deque[frozenset[int]]:
        jobs = [job for job in part.jobs if math.isfinite(left_s[job]) and view.gang[job] <= part.gpus]
        rule, plan = self._rule, None
        if jobs:
            window = Window(part.gpus, rule.rounds, rule.round_s, rule.makespan)
            effort = Effort(rule.gap, rule.search_nodes)
            plan = plan_rounds(self._asks(view, part, jobs, left_s, True), window, effort)
            if plan is None:
                plan = plan_rounds(self._asks(view, part, jobs, left_s, False), window, effort)
        if plan is None:
            return deque([frozenset()])
        ahead = plan.T[:MOST_FOLLOWED]
        return deque(frozenset(job for job, runs in zip(jobs, row, strict=True) if runs) for row in ahead)

    def _asks(self, view: View, part: EqualGpus, jobs: list[int], left_s: dict[int, float], fair: bool) -> Asks:
        """What jobs ask of a plan: to end in fair time, or where that cannot be, to count more when late."""
        rule, rows = self._rule, []
        for job in jobs:
            course, equal = self._courses[job, part.domain], self._equal(view, part, job)
            gain = rule.round_s / (course.pace_s(view.phase(job)) * rule.epochs)
            fair_s = self._finishes.fair_s(job, view.now_s) - view.submit_s[job]
            age_s = view.now_s - view.submit_s[job]
            slack_s = rule.ratio * fair_s - age_s - rule.rounds * rule.round_s
            least = rounds_needed(left_s[job], slack_s, equal, rule.round_s) if slack_s >= 0 else rule.rounds + 1
            ratio = (age_s + left_s[job] / equal) / max(fair_s, 1e-300)
            weight = min(MOST_WEIGHT, ratio**rule.late_power) if ratio > rule.ratio else 1.0
            rows.append((int(view.gang[job]), course.done, gain, left_s[job], *((least, 1.0) if fair else (0, weight))))
        gang, done, gain_of, left, least_of, weight_of = (np.array(column) for column in zip(*rows, strict=True))
        return Asks(gang, done, gain_of, left, least_of, weight_of)
