"""Prediction from history: what jobs like this one took that have finished, as a mean and an interval."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from scipy.special import stdtrit

COVERED = 0.95
SHORTEST_S = 1e-3  # the logarithm needs more than nothing


class Kind(NamedTuple):
    """By what jobs are alike: numbers of user and name, and the gang."""

    user: int
    name: int
    gang: int

    @property
    def groups(self) -> tuple[tuple[object, ...], ...]:
        """The groups that the job belongs to, the most alike first."""
        return (
            ("user, name and gang", self.user, self.name, self.gang),
            ("user and name", self.user, self.name),
            ("name", self.name),
            ("user", self.user),
            ("anyone",),
        )


@dataclass
class _Sample:
    """Sums over the finished jobs of a group."""

    jobs: int = 0
    total_s: float = 0.0
    log: float = 0.0
    squared_log: float = 0.0

    def add(self, run_s: float) -> None:
        log = math.log(max(run_s, SHORTEST_S))
        self.jobs += 1
        self.total_s += run_s
        self.log += log
        self.squared_log += log * log

    def interval_s(self) -> tuple[float, float]:
        """Where the next run time should be in 95 of 100 cases, if logarithms of run times are normal."""
        if self.jobs < 2:
            return 0.0, math.inf
        middle, freedom = self.log / self.jobs, self.jobs - 1
        spread = math.sqrt(max(0.0, self.squared_log - self.jobs * middle**2) / freedom * (1 + 1 / self.jobs))
        reach = float(stdtrit(freedom, (1 + COVERED) / 2)) * spread
        return math.exp(middle - reach), math.exp(middle + reach)


class RunTimes:
    """Rolling mean of run times: of the user's jobs of that name and gang, else of ever wider groups."""

    def __init__(self) -> None:
        self._samples: defaultdict[tuple[object, ...], _Sample] = defaultdict(_Sample)

    def learn(self, kind: Kind, run_s: float) -> None:
        for group in kind.groups:
            self._samples[group].add(run_s)

    def expected_s(self, kind: Kind) -> float:
        """nan where nothing has finished yet."""
        sample = self._sample(kind)
        return sample.total_s / sample.jobs if sample else math.nan

    def interval_s(self, kind: Kind) -> tuple[float, float]:
        """95 % of jobs like this one should take between these; 0 to inf where fewer than two have finished."""
        sample = self._sample(kind)
        return sample.interval_s() if sample else (0.0, math.inf)

    def _sample(self, kind: Kind) -> _Sample | None:
        return next((self._samples[group] for group in kind.groups if group in self._samples), None)
