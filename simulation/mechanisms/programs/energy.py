"""Least time to the end within a budget of power: GPUs and clocks go where they gain most for their energy."""

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
from simulation.mechanisms.programs.energy_budget import Configuration, Offers, configurations
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, close_levels, ladders, whole_ladders
from simulation.mechanisms.sizing import Sizing


@dataclass(frozen=True)
class EnergyBudget(Sizing):
    """Every job begins small and slow; upgrades go by relative fall of its time over relative rise of its energy.

    The budget is a power, times the time that the work at hand will take on all GPUs.
    """

    member: ClassVar[str] = "energy-budget"
    plans: ClassVar[bool] = True
    power_share: float = parameter(
        1.0, "power budget, as a share of the power of all GPUs at full clock; below about 0.7 compute-bound jobs wait",
        unit="share", low=0.01, high=100.0, source="ours; the paper sweeps the level of energy",
    )  # fmt: skip
    clocks: tuple[float, ...] = parameter(
        (0.5, 0.6, 0.7, 0.8, 0.9, 1.0), "clocks allowed, ascending", unit="of the maximum", low=0.1, high=1.0,
    )  # fmt: skip
    static_w: float = parameter(
        80.0, "power of a held GPU that does not depend on its work, where the pool does not say", unit="W", low=0.0,
        high=2000.0,
    )  # fmt: skip
    dynamic_w: float = parameter(
        220.0, "power of a busy GPU at full clock above that, where the pool does not say", unit="W", low=0.0,
        high=2000.0,
    )  # fmt: skip
    gpu_step: str = parameter(
        "double", "the next number of GPUs: twice as many, in buddy blocks, or one more", choices=("double", "one"),
    )  # fmt: skip
    budget_rule: str = parameter(
        "stop", "what an upgrade too dear for the budget does: end the search, or be skipped", choices=("stop", "skip"),
        source="a public port of the paper's Algorithm 1",
    )  # fmt: skip
    round_s: float = parameter(300.0, "time between two plans", unit="s", low=1.0, high=86_400.0)
    resize_s: float = parameter(
        30.0, "a job gets more GPUs only if that saves it more than this", unit="s", low=0.0, high=3600.0,
        source="ElasticFlow artifact: 2 + 2 (log2 n + 1), and 27 on a cold restart",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.clocks or list(self.clocks) != sorted(set(self.clocks)):
            raise ValueError(f"EnergyBudget.clocks is {self.clocks!r}, expected ascending")

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> EnergyProgram:
        return EnergyProgram(self)


class EnergyProgram:
    """Plans at every event and round, from what is left to do."""

    def __init__(self, rule: EnergyBudget) -> None:
        self._rule, self._homes = rule, Homes()
        self._clocks = np.array(rule.clocks)
        self._set: dict[int, float] = {}  # job -> clock that it has

    def refresh(self, view: View, news: News) -> None:
        """Everything is read from the view."""

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        parts, fixed = self._homes.parts(view, draft)
        targets = [target._replace(clock=self._set[target.job]) for target in fixed]
        for part in parts:
            offers = self._offers(view, part)
            chosen = configurations(
                offers, part.gpus, self._budget_j(view, part, offers), self._rule.budget_rule == "skip"
            )
            gpus = {row: self._worth_a_move(view, part, offers, row, now) for row, now in chosen.items()}
            placed = place_blocks({part.jobs[row]: n for row, n in gpus.items()}, part.held, part.room)
            targets += [
                Target(job, gpus[row], pieces=placed[job], clock=self._rule.clocks[chosen[row][1]])
                for row, job in enumerate(part.jobs)
                if job in placed
            ]
        self._set = {target.job: target.clock for target in targets}
        return targets

    def wake_s(self, view: View) -> float:
        """The next round, while anyone is there."""
        if not (len(view.running) or view.waiting_count):
            return math.inf
        return (math.floor(view.now_s / self._rule.round_s) + 1) * self._rule.round_s

    def _offers(self, view: View, part: EqualGpus) -> Offers:
        """Time and energy to the end by GPUs and clock."""
        ladder = ladders if self._rule.gpu_step == "double" else whole_ladders
        counts = ladder(view, part.jobs, part.gpus)
        rate, compute = np.zeros(counts.shape), np.ones(counts.shape)
        for row, job in enumerate(part.jobs):
            level = close_levels(view, part.domain, counts[row])
            rate[row] = view.rates(job)[part.domain][level, counts[row]]
            compute[row] = view.compute_share(job)[part.domain][level, counts[row]]
        bound = np.array([view.traits(job).get("clock_sensitivity", 1.0) for job in part.jobs])[:, None, None]
        slower = compute[:, :, None] / self._clocks**bound
        taken = slower + 1.0 - compute[:, :, None]  # time of an iteration, over that at full clock
        work_s = view.work_s(np.array(part.jobs, np.int64))[:, None, None]
        possible = np.broadcast_to(rate[:, :, None] > 0, taken.shape)
        left_s, energy_j = (np.full(taken.shape, np.inf) for _ in range(2))
        np.divide(work_s * taken, rate[:, :, None], out=left_s, where=possible)
        static_w, dynamic_w = self._watts(view, part)
        watts = counts[:, :, None] * (static_w + dynamic_w * slower / taken * self._clocks**3)
        np.multiply(watts, left_s, out=energy_j, where=possible)
        return Offers(left_s, energy_j, counts)

    def _budget_j(self, view: View, part: EqualGpus, offers: Offers) -> float:
        """Power budget times the time in which all GPUs at full clock, one by one, would do the work at hand."""
        known = np.isfinite(offers.left_s[:, 0, -1])
        gpu_s = float(np.dot(offers.left_s[known, 0, -1], offers.counts[known, 0]))
        return self._rule.power_share * sum(self._watts(view, part)) * gpu_s

    def _watts(self, view: View, part: EqualGpus) -> tuple[float, float]:
        """Static and dynamic power of a GPU."""
        for pool in np.unique(view.nodes.pool[view.nodes.domain == part.domain]).tolist():
            idle_w, peak_w = view.nodes.pools[pool].idle_w, view.nodes.pools[pool].peak_w
            if idle_w is not None and peak_w is not None:
                return idle_w, peak_w - idle_w
        return self._rule.static_w, self._rule.dynamic_w

    def _worth_a_move(self, view: View, part: EqualGpus, offers: Offers, row: int, now: Configuration) -> int:
        """GPUs of a job: what it holds rather than more, if more would save it no more than a resize takes."""
        gpus, held = int(offers.counts[row, now[0]]), int(view.held[part.jobs[row]])
        level = np.flatnonzero(offers.counts[row] == held)
        if held == 0 or gpus <= held or not len(level):
            return gpus
        saved_s = float(offers.left_s[row, level[0], now[1]] - offers.left_s[row][now])
        return gpus if saved_s > self._rule.resize_s else held
