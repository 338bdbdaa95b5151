"""Goodput search: GPUs go where they speed up training most, by throughput and statistical efficiency together."""

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
from simulation.mechanisms.programs.allocation_search import best_allocation
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, begin_small, far_level
from simulation.mechanisms.sizing import Sizing
from simulation.records import Floats, Ints
from simulation.world.links import nearest_level


@dataclass(frozen=True)
class GoodputSearch(Sizing):
    """Round by round the matrix of GPUs with the best power mean of speed-ups, restarts counted against changes.

    A job never gets more than twice the most GPUs that it has had, and at most one distributed job is on a node.
    """

    member: ClassVar[str] = "goodput-search"
    plans: ClassVar[bool] = True
    interval_s: float = parameter(
        60.0, "length of a round", unit="s", low=1.0, high=86_400.0, source="Pollux repository, scheduler allocator",
    )  # fmt: skip
    exponent: float = parameter(
        -1.0, "p of the power mean of speed-ups: 1 the mean, lower is fairer", unit="1", low=-10.0, high=1.0,
        source="Sia artifact, default of its Pollux policy",
    )  # fmt: skip
    restart_s: float = parameter(
        30.0, "what it takes a change of GPUs to cost", unit="s", low=0.0, high=3600.0,
        source="Sia artifact: 15 to 250 s by model; 30 is ours",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> GoodputProgram:
        return GoodputProgram(self, view)


class GoodputProgram:
    """Remembers how often a job was changed, and the most GPUs that it has had."""

    def __init__(self, rule: GoodputSearch, view: View) -> None:
        self._rule, self._homes = rule, Homes()
        self._changes, self._most = (np.zeros(len(view.submit_s), np.int64) for _ in range(2))

    def refresh(self, view: View, news: News) -> None:
        """Everything is read from the view."""

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        parts, fixed = self._homes.parts(view, draft)
        decide = self._allot if view.now_s == self._round_s(view.now_s) else begin_small
        return [*fixed, *(target for part in parts for target in decide(view, part))]

    def wake_s(self, view: View) -> float:
        """The next round, while anyone is there."""
        if not (len(view.running) or view.waiting_count):
            return math.inf
        due_s = self._round_s(view.now_s)
        return due_s if due_s > view.now_s else due_s + self._rule.interval_s

    def _round_s(self, now_s: float) -> float:
        """The first begin of a round from now on."""
        return math.ceil(now_s / self._rule.interval_s) * self._rule.interval_s

    def _allot(self, view: View, part: EqualGpus) -> list[Target]:
        jobs = np.array(part.jobs)
        nodes = np.flatnonzero(part.room)
        present = _matrix(part, nodes)
        low = view.gang_min[jobs]
        self._most[jobs] = np.maximum(self._most[jobs], view.held[jobs])
        high = np.minimum(view.gang_max[jobs], np.maximum(low, 2 * self._most[jobs]))
        factor = np.where(present.any(axis=1), self._reallocation(view, jobs), 1.0)
        held = best_allocation(
            _speedups(view, part, int(part.room.max())), present, part.room[nodes], low, high, factor,
            self._rule.exponent,
        )  # fmt: skip
        self._changes[jobs[(held != present).any(axis=1) & present.any(axis=1)]] += 1
        return [
            Target(job, int(row.sum()), pieces=tuple((int(nodes[i]), int(row[i])) for i in np.flatnonzero(row)))
            for job, row in zip(part.jobs, held, strict=True)
            if row.any()
        ]

    def _reallocation(self, view: View, jobs: Ints) -> Floats:
        """Factor on the speed-up of a job that is changed: the share of its life that restarts leave it."""
        age_s = view.now_s - view.submit_s[jobs]
        left_s = np.maximum(0.0, age_s - self._changes[jobs] * self._rule.restart_s)
        return left_s / np.maximum(age_s + self._rule.restart_s, 1e-9)


def _matrix(part: EqualGpus, nodes: Ints) -> Ints:
    """(jobs, nodes) GPUs held now."""
    column = {int(node): i for i, node in enumerate(nodes)}
    held = np.zeros((len(part.jobs), len(nodes)), np.int64)
    for row, job in enumerate(part.jobs):
        for node, gpus in part.held.get(job, ()):
            held[row, column[node]] = gpus
    return held


def _speedups(view: View, part: EqualGpus, largest_node: int) -> Floats:
    """(jobs, 2, GPUs + 1) rate on one node and on several, over that of the smallest gang."""
    table = np.zeros((len(part.jobs), 2, part.gpus + 1))
    for row, job in enumerate(part.jobs):
        rates = view.rates(job)[part.domain]
        counts = np.arange(rates.shape[1])
        one = np.minimum(nearest_level(counts, view.nodes.domain_wiring[part.domain]), 1)
        both = np.stack(
            [np.where(counts <= largest_node, rates[one, counts], 0.0), rates[far_level(view, part.domain)]]
        )
        known = min(part.gpus + 1, len(counts))
        table[row, :, :known] = both[:, :known] / (both[:, view.gang_min[job]].max() or 1.0)
    return table
