"""Deadlines kept with few GPUs: admission by minimum satisfactory shares, spare GPUs where they waste least."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.blocks import place_blocks
from simulation.mechanisms.programs.deadline_share import (
    Demands,
    Shares,
    join,
    kept_shares,
    minimum_shares,
    slot_edges,
    slots_alike,
    top_up,
)
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, close_rates, ladders
from simulation.mechanisms.sizing import Sizing
from simulation.records import Ints

EARLY_S = 1e-3  # plans end this much before the deadline: rounding breaks no promise


@dataclass(frozen=True)
class DeadlineShare(Sizing):
    """The fewest GPUs, slot by slot, that meet all deadlines; what is left goes where it wastes least GPU-time.

    Counts are powers of two in buddy blocks. A job whose deadline cannot be kept is declined on arrival. Jobs without
    a deadline, and those whose promise was broken, share what is left.
    """

    member: ClassVar[str] = "deadline-share"
    plans: ClassVar[bool] = True
    slot_s: float = parameter(
        60.0, "length of a slot of the plan", unit="s", low=1.0, high=86_400.0, source="ElasticFlow artifact"
    )  # fmt: skip
    admission: bool = parameter(
        True, "jobs whose deadline cannot be kept are declined", source="Gu et al., ASPLOS 2023"
    )
    top_up: bool = parameter(True, "spare GPUs are given out by marginal return", source="Gu et al., ASPLOS 2023")

    resize_s: float = parameter(
        8.0, "a job gets more GPUs only if that saves it more than this",
        unit="s", low=0.0, high=3600.0, source="ElasticFlow artifact: 2 + 2 (log2 n + 1), and 27 on a cold restart",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> DeadlineProgram:
        return DeadlineProgram(self)


class DeadlineProgram:
    """Remembers whom it promised a deadline, and the last plan that kept all promises."""

    def __init__(self, rule: DeadlineShare) -> None:
        self._rule, self._homes = rule, Homes()
        self._known: set[int] = set()
        self._promised: set[int] = set()
        self._declined: set[int] = set()
        self._kept: dict[int, tuple[int, Ints]] = {}  # job -> first slot of its plan, plan
        self._wake_s = math.inf

    def refresh(self, view: View, news: News) -> None:
        for job in news.finished.tolist():
            self._promised.discard(job)
            self._kept.pop(job, None)

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        parts, targets = self._homes.parts(view, draft, self._promised)
        self._wake_s = math.inf
        for part in parts:
            gpus = self._share(view, part, draft)
            placed = place_blocks(gpus, part.held, part.room)
            targets += [Target(job, gpus[job], pieces=pieces) for job, pieces in placed.items()]
        return targets

    def wake_s(self, view: View) -> float:
        """The next planned change of a share."""
        return self._wake_s

    def _share(self, view: View, part: EqualGpus, draft: Draft) -> dict[int, int]:
        """GPUs now of each job that gets any."""
        promised, shares = self._keep(view, part)
        for job in part.jobs:
            if job not in self._known:
                self._known.add(job)
                if math.isnan(view.deadline_s[job]):
                    continue
                found = self._admit(view, part, promised, shares, job)
                if found:
                    promised, shares = found
                    self._promised.add(job)
                elif self._rule.admission:
                    self._declined.add(job)
                    draft.refuse(job)
        first = int(view.now_s // self._rule.slot_s)
        self._kept |= {job: (first, row) for job, row in zip(promised, shares.plan, strict=True)}
        return self._spread(view, part, promised, shares)

    def _keep(self, view: View, part: EqualGpus) -> tuple[list[int], Shares]:
        """Plan anew for those who have a promise; where that fails, the last plan stands as far as it can."""
        promised = self._by_deadline(view, (job for job in part.jobs if job in self._promised))
        demands = self._demands(view, part, promised)
        shares = minimum_shares(demands, part.gpus)
        if shares.feasible.all():
            return promised, shares
        rows = np.stack([self._shifted(view, job, shares.plan.shape[1]) for job in promised])
        kept = kept_shares(demands, rows, part.gpus)
        still = [job for job, feasible in zip(promised, kept.feasible, strict=True) if feasible]
        self._promised -= set(promised) - set(still)
        slots = len(self._demands(view, part, still).edges_s) - 1  # no more than to the deadlines that are left
        return still, Shares(kept.plan[kept.feasible, :slots], np.ones(len(still), np.bool_), kept.free[:slots])

    def _shifted(self, view: View, job: int, slots: int) -> Ints:
        """The last plan of a job, from now on."""
        first, row = self._kept[job]
        left = row[int(view.now_s // self._rule.slot_s) - first :][:slots]
        return np.pad(left, (0, slots - len(left)))

    def _admit(
        self, view: View, part: EqualGpus, promised: list[int], shares: Shares, job: int
    ) -> tuple[list[int], Shares] | None:
        """A plan that keeps the deadline of `job` too: all anew, or beside the plan that there is; None: no plan."""
        order = self._by_deadline(view, [*promised, job])
        demands = self._demands(view, part, order)
        anew = minimum_shares(demands, part.gpus)
        if anew.feasible.all():
            return order, anew
        place, slots = order.index(job), anew.plan.shape[1]
        more = slots - shares.plan.shape[1]
        beside = Shares(
            np.insert(np.pad(shares.plan, ((0, 0), (0, more))), place, 0, axis=0),
            np.insert(shares.feasible, place, False),
            np.pad(shares.free, (0, more), constant_values=part.gpus),
        )
        return (order, beside) if join(demands, beside, place) else None

    def _spread(self, view: View, part: EqualGpus, promised: list[int], shares: Shares) -> dict[int, int]:
        """Top up those with a promise, and share the rest among those without."""
        others = [job for job in part.jobs if job not in self._promised | self._declined]
        jobs = promised + others
        demands = self._demands(view, part, jobs, len(others))
        slots = len(demands.edges_s) - 1
        everyone = Shares(
            np.concatenate([shares.plan, np.zeros((len(others), slots), np.int64)]),
            np.concatenate([shares.feasible, np.zeros(len(others), np.bool_)]),
            shares.free,
        )
        joining = np.array([self._rule.top_up] * len(promised) + [True] * len(others), np.bool_)
        now = top_up(demands, everyone, int(shares.free[0]), joining)
        if promised:
            self._wake_s = min(self._wake_s, view.now_s + float(demands.edges_s[slots_alike(everyone)]))
        now = self._steady(demands, everyone.plan[:, 0], view.held[jobs], now, part.gpus)
        return {job: int(gpus) for job, gpus in zip(jobs, now, strict=True) if gpus}

    def _steady(self, demands: Demands, least: Ints, held: Ints, wanted: Ints, gpus: int) -> Ints:
        """(jobs,) GPUs: those held, where more would save less than a change takes, or nobody else uses them."""
        now = wanted.copy()
        for job in np.flatnonzero((held > 0) & (held < wanted) & (least <= held)):
            before, after = (demands.rate[job, demands.counts[job] == count] for count in (held[job], wanted[job]))
            if len(before) and demands.work[job] / before[0] - demands.work[job] / after[0] <= self._rule.resize_s:
                now[job] = held[job]
        for job in np.flatnonzero(now < held):
            if held[job] - now[job] <= gpus - now.sum():
                now[job] = held[job]
        return now

    def _by_deadline(self, view: View, jobs: Iterable[int]) -> list[int]:
        return sorted(jobs, key=lambda job: (view.deadline_s[job], job))

    def _demands(self, view: View, part: EqualGpus, jobs: list[int], without: int = 0) -> Demands:
        """What `jobs` still need; the last `without` of them have no promise."""
        counts = ladders(view, jobs, part.gpus)
        rate = np.zeros(counts.shape)
        for row, job in enumerate(jobs):
            rate[row] = close_rates(view, job, part.domain, counts[row])
        due_s = view.deadline_s[jobs] - EARLY_S - view.now_s
        due_s[len(jobs) - without :] = np.inf
        last_s = view.now_s + float(due_s[np.isfinite(due_s)].max(initial=0.0))
        return Demands(
            view.work_s(np.array(jobs, np.int64)),
            due_s,
            rate,
            counts,
            slot_edges(view.now_s, self._rule.slot_s, last_s),
        )
