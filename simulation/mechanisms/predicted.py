"""The order of predicted service: jobs that should need little, going by finished jobs like them, come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.prediction.history import Kind, RunTimes
from simulation.mechanisms.sequence import KeyedSequence, Keys, Sequence
from simulation.records import Floats, Ints


@dataclass(frozen=True)
class PredictedService(Ordering):
    """Least predicted GPU-time first (or run time), as finished jobs of the same user, name and gang took."""

    member: ClassVar[str] = "predicted-service"
    by_gpu_time: bool = parameter(True, "rank by run time x GPUs", source="Helios, SC 2021")

    @property
    def information(self) -> Regime:
        return Regime.HISTORY

    def begin(self, view: View) -> Sequence:
        return PredictedSequence(view, self.by_gpu_time)


class PredictedSequence(KeyedSequence):
    """A job is scored when it begins to wait, from what has finished by then, and keeps its score."""

    def __init__(self, view: View, by_gpu_time: bool) -> None:
        super().__init__(view, self._scores)
        self._by_gpu_time, self._history = by_gpu_time, RunTimes()

    def refresh(self, view: View, news: News) -> None:
        took_s = view.finished_s(news.finished)
        for kind, run_s in zip(_kinds(view, news.finished), took_s.tolist(), strict=True):
            self._history.learn(kind, run_s)
        super().refresh(view, news)

    def _scores(self, view: View, jobs: Ints) -> Keys:
        expected_s: Floats = np.array([self._history.expected_s(kind) for kind in _kinds(view, jobs)], np.float64)
        known_s = np.where(np.isnan(expected_s), 1.0, expected_s)  # nothing has finished: by GPUs alone
        gang = view.gang[jobs].astype(np.float64)
        return known_s * (gang if self._by_gpu_time else 1.0), gang


def _kinds(view: View, jobs: Ints) -> list[Kind]:
    columns = (view.user[jobs], view.name[jobs], view.gang[jobs])
    return [Kind(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
