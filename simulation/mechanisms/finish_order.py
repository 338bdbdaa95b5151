"""The order of finish-time fairness: who will end latest for its equal part of the cluster comes first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.finish_ratio import FinishRatios
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.sequence import Sequence
from simulation.records import Ints


@dataclass(frozen=True)
class FinishTimeRatio(Ordering):
    """Largest finish-time ratio first: time to the end as things are, over time on an equal part of the cluster."""

    member: ClassVar[str] = "finish-time-ratio"
    lost_s: float = parameter(
        600.0, "what a job that holds nothing is taken to wait before it runs", unit="s", low=0.0, high=86_400.0,
        source="Themis, recalled: one lease",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def begin(self, view: View) -> Sequence:
        return RatioSequence(view, self.lost_s)


class RatioSequence:
    """Ratios of all jobs change all the time, so the order is made anew whenever it is asked for."""

    def __init__(self, view: View, lost_s: float) -> None:
        self._ratios, self._lost_s = FinishRatios(view), lost_s

    def refresh(self, view: View, news: News) -> None:
        self._ratios.refresh(view, news)

    def waiting(self, view: View) -> Ints:
        return self._ordered(view, view.waiting)

    def everyone(self, view: View) -> Ints:
        return self._ordered(view, np.concatenate([view.running, view.waiting]))

    def running(self, view: View) -> Ints:
        return self._ordered(view, view.running)

    def wake_s(self, view: View) -> float:
        return math.inf

    def _ordered(self, view: View, jobs: Ints) -> Ints:
        order: Ints = jobs[np.lexsort((jobs, -self._ratios.now(view, jobs, self._lost_s)))]
        return order
