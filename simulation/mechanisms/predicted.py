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


class PredictedSizes:
    """What jobs should need, going by those that have finished so far."""

    def __init__(self) -> None:
        self._history = RunTimes()

    def learn(self, view: View, finished: Ints) -> None:
        took_s = view.finished_s(finished)
        for kind, run_s in zip(_kinds(view, finished), took_s.tolist(), strict=True):
            self._history.learn(kind, run_s)

    def run_s(self, view: View, jobs: Ints) -> Floats:
        """Expected run times; 1 s for all where nothing has finished yet, so that only GPUs count."""
        expected_s: Floats = np.array([self._history.expected_s(kind) for kind in _kinds(view, jobs)], np.float64)
        return np.where(np.isnan(expected_s), 1.0, expected_s)


class PredictedSequence(KeyedSequence):
    """A job is scored when it begins to wait, from what has finished by then, and keeps its score."""

    def __init__(self, view: View, by_gpu_time: bool) -> None:
        super().__init__(view, self._scores)
        self._by_gpu_time, self._sizes = by_gpu_time, PredictedSizes()

    def refresh(self, view: View, news: News) -> None:
        self._sizes.learn(view, news.finished)
        super().refresh(view, news)

    def _scores(self, view: View, jobs: Ints) -> Keys:
        gang = view.gang[jobs].astype(np.float64)
        return self._sizes.run_s(view, jobs) * (gang if self._by_gpu_time else 1.0), gang


def _kinds(view: View, jobs: Ints) -> list[Kind]:
    columns = (view.user[jobs], view.name[jobs], view.gang[jobs])
    return [Kind(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
