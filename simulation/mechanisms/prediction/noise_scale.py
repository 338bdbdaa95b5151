"""The gradient noise scale over training, fitted to what was measured so far, and the goodput that it leaves.

The noise scale grows with progress by a constant factor (its logarithm along a line), and each measurement misses it
by a factor that is log-normal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from simulation.mechanisms.prediction.learning import COVERED, Expected
from simulation.records import Floats

LEAST_POINTS = 3


@dataclass(frozen=True)
class NoiseLaw:
    """ln(noise scale) = at_mean + slope x (progress - mean progress)."""

    at_mean: float
    slope: float
    mean_progress: float
    points: int
    spread: float  # of one measurement, in logarithms
    squares: float  # summed squares of distances from the mean progress

    def scale(self, progress: float) -> Expected:
        """Noise scale at a progress (0 to 1), in units of the base batch."""
        away = progress - self.mean_progress
        middle = self.at_mean + self.slope * away
        reach = self.spread * math.sqrt(1.0 / self.points + away**2 / self.squares)
        reach *= float(stdtrit(self.points - 2, (1 + COVERED) / 2))
        return Expected(math.exp(middle), math.exp(middle - reach), math.exp(middle + reach))

    def goodput(self, progress: float, throughput: float, batch: float) -> Expected:
        """Throughput times statistical efficiency with a batch of `batch` (1 or more) base batches, in its unit.

        Raises ValueError for a smaller batch.
        """
        if batch < 1:
            raise ValueError(f"batch is {batch}, expected 1 base batch or more")
        return Expected(*(throughput * (scale + 1) / (scale + batch) for scale in self.scale(progress)))


def fit_noise(progress: Floats, scales: Floats) -> NoiseLaw | None:
    """Least squares over measurements (n,); None where there are fewer than 3, or all at one progress."""
    points = len(progress)
    if points < LEAST_POINTS or progress.min() == progress.max():
        return None
    mean = float(progress.mean())
    away = progress - mean
    squares = float(away @ away)
    logs = np.log(scales)
    at_mean, slope = float(logs.mean()), float(away @ logs) / squares
    missed = logs - at_mean - slope * away
    return NoiseLaw(at_mean, slope, mean, points, math.sqrt(float(missed @ missed) / (points - 2)), squares)
