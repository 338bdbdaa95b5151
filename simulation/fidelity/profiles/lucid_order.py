"""A quirk of order: ranks are given only once a job waits beside those that have just come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.sequence import KeyedSequence, Keys, Sequence
from simulation.records import Ints

SECOND_S = 1.0


def _by_gpu_time(view: View, jobs: Ints) -> Keys:
    return view.duration_s(jobs) * view.gang[jobs], view.gang[jobs].astype(np.float64)


class UnrankedAloneSequence(KeyedSequence):
    """By GPU-time, then GPUs; by GPUs alone at an instant at which nobody else waits, and ranked a second later."""

    def __init__(self, view: View) -> None:
        super().__init__(view, _by_gpu_time)
        self._alone = False
        self._came = np.zeros(0, np.int64)

    def refresh(self, view: View, news: News) -> None:
        self._alone = 0 < len(news.waiting) == view.waiting_count
        self._came = news.waiting[np.argsort(view.gang[news.waiting], kind="stable")]
        super().refresh(view, news)

    def waiting(self, view: View) -> Ints:
        return self._came if self._alone else super().waiting(view)

    def wake_s(self, view: View) -> float:
        return view.now_s + SECOND_S if self._alone else np.inf


@dataclass(frozen=True)
class UnrankedAlone(Ordering):
    """Least GPU-time first; jobs that arrive at an empty queue are ordered by GPUs alone for a second."""

    member: ClassVar[str] = "unranked-alone"

    @property
    def information(self) -> Regime:
        return Regime.ORACLE

    def begin(self, view: View) -> Sequence:
        return UnrankedAloneSequence(view)
