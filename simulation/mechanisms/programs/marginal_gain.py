"""Marginal gain: every slot, GPUs go one by one to the job that gains most, going by its loss curve and its speed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.loss_curve import PARAMETERS, Family
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.prediction.progress import Progress
from simulation.mechanisms.programs.blocks import place_blocks
from simulation.mechanisms.programs.equal_gpus import EqualGpus, Homes, begin_small, close_rates
from simulation.mechanisms.programs.marginal import by_marginal_gain
from simulation.mechanisms.sizing import Sizing
from simulation.records import Floats


@dataclass(frozen=True)
class MarginalGain(Sizing):
    """Every job has its smallest gang, in order of arrival; then GPU by GPU to the largest gain, while there is one.

    The gain of a GPU is by how much sooner a job ends, or how much further its loss falls in the slot over the largest
    fall of an iteration so far; then a job without a loss curve keeps its smallest gang.
    """

    member: ClassVar[str] = "marginal-gain"
    plans: ClassVar[bool] = True
    goal: str = parameter(
        "remaining-time", "what a GPU is to gain", choices=("remaining-time", "loss-reduction"),
        source="Optimus, EuroSys 2018; SLAQ, SoCC 2017 (recalled)",
    )  # fmt: skip
    slot_s: float = parameter(
        600.0, "time between two plans", unit="s", low=1.0, high=86_400.0, source="Optimus repository, scheduler",
    )  # fmt: skip
    curves: str = parameter(
        "inverse", "families fitted to the losses: 1 / (a k + b) + c, or whichever of all fits best",
        choices=("inverse", "any"), source="Optimus, EuroSys 2018",
    )  # fmt: skip
    growth: float = parameter(
        4.0, "weight of each third of the losses over that of the third before", unit="1", low=1.0, high=100.0,
        source="Optimus repository, estimator",
    )  # fmt: skip
    young_iterations: int = parameter(
        5, "a job that has shown fewer losses is young", unit="iterations", low=0, high=1000,
    )  # fmt: skip
    young_factor: float = parameter(
        0.95, "factor on the gains of a young job", unit="1", low=0.0, high=1.0, source="Optimus (recalled)",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> GainProgram:
        return GainProgram(self)


class GainProgram:
    """Plans every slot; between slots jobs that wait begin small on free GPUs."""

    def __init__(self, rule: MarginalGain) -> None:
        families: tuple[Family, ...] = ("inverse",) if rule.curves == "inverse" else tuple(PARAMETERS)
        self._rule, self._homes, self._progress = rule, Homes(), Progress(families, rule.growth)

    def refresh(self, view: View, news: News) -> None:
        """Everything is read from the view."""

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        parts, fixed = self._homes.parts(view, draft)
        decide = self._allot if view.now_s % self._rule.slot_s == 0 else begin_small
        return [*fixed, *(target for part in parts for target in decide(view, part))]

    def wake_s(self, view: View) -> float:
        """The next slot, while anyone is there."""
        if not (len(view.running) or view.waiting_count):
            return math.inf
        return (math.floor(view.now_s / self._rule.slot_s) + 1) * self._rule.slot_s

    def _allot(self, view: View, part: EqualGpus) -> list[Target]:
        jobs = np.array(part.jobs, np.int64)
        high = np.minimum(view.gang_max[jobs], part.gpus)
        value = np.full((len(jobs), part.gpus + 1), -np.inf)
        worth = self._sooner if self._rule.goal == "remaining-time" else self._lower
        for row, job in enumerate(part.jobs):
            counts = np.arange(int(view.gang_min[job]), int(high[row]) + 1)
            value[row, counts] = worth(view, job, close_rates(view, job, part.domain, counts))
        young = np.array([len(view.losses(job)) < self._rule.young_iterations for job in part.jobs])
        factor = np.where(young, self._rule.young_factor, 1.0)
        given = by_marginal_gain(value, view.gang_min[jobs], high, part.gpus, factor)
        sizes = {job: int(gpus) for job, gpus in zip(part.jobs, given.tolist(), strict=True) if gpus}
        placed = place_blocks(sizes, part.held, part.room)
        return [Target(job, sizes[job], pieces=placed[job]) for job in part.jobs if job in placed]

    def _sooner(self, view: View, job: int, rate: Floats) -> Floats:
        """(counts,) minus the time to the end."""
        work_s = float(view.work_s(np.array([job]))[0]) * self._progress.part_left(view, job).value
        value: Floats = np.divide(-work_s, rate, out=np.full(len(rate), -np.inf), where=rate > 0)
        return value

    def _lower(self, view: View, job: int, rate: Floats) -> Floats:
        """(counts,) fall of the loss in a slot, over the largest of an iteration so far; a young job's is all ahead."""
        iterations, losses = view.iterations(job), view.losses(job)
        total_s = max(float(view.total_work_s(np.array([job]))[0]), 1e-300)
        more = rate * self._rule.slot_s / total_s * iterations
        found = self._progress.fits(view, job)
        if not found:
            return np.where(rate > 0, more, -np.inf)
        falls = losses[0] - found[0].loss(len(losses) + more)[0], np.max(-np.diff(losses))
        return np.where(rate > 0, falls[0] / max(float(falls[1]), 1e-12), -np.inf)
