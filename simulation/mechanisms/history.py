"""Prediction from history: what jobs like this one took that have finished."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple


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


class RunTimes:
    """Rolling mean of run times: of the user's jobs of that name and gang, else of ever wider groups."""

    def __init__(self) -> None:
        self._jobs: defaultdict[tuple[object, ...], int] = defaultdict(int)
        self._total_s: defaultdict[tuple[object, ...], float] = defaultdict(float)

    def learn(self, kind: Kind, run_s: float) -> None:
        for group in kind.groups:
            self._jobs[group] += 1
            self._total_s[group] += run_s

    def expected_s(self, kind: Kind) -> float:
        """nan where nothing has finished yet."""
        for group in kind.groups:
            if group in self._jobs:
                return self._total_s[group] / self._jobs[group]
        return math.nan
