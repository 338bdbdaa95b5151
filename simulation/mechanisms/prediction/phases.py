"""Time left of a job whose rate changes during training, by what it has shown so far.

Which part of the training is spent in each mode is drawn from a Dirichlet distribution, which begins with equal parts
for all modes and learns from the epochs that are done.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from simulation.records import Floats

NORMAL_95 = 1.959964


class TimeLeft(NamedTuple):
    """Expected, and where it should be in 95 of 100 cases."""

    mean_s: float
    low_s: float
    high_s: float


def time_left(epoch_s: Floats, seen: Floats, epochs: float) -> TimeLeft:
    """epoch_s (modes,): time of an epoch in each mode; seen (modes,): epochs done, parts of them too, of `epochs`."""
    left = max(0.0, epochs - float(seen.sum()))
    counts = epochs / len(epoch_s) + seen
    expected = np.maximum(0.0, epochs * counts / counts.sum() - seen)
    if left <= 0 or expected.sum() <= 0:
        return TimeLeft(0.0, 0.0, 0.0)
    part = expected / expected.sum()
    mean_s = float(part @ epoch_s)
    spread = max(0.0, float(part @ epoch_s**2) - mean_s**2)  # of one epoch
    whole = left * spread * (left + counts.sum()) / (1.0 + counts.sum())  # Dirichlet-multinomial
    reach_s = NORMAL_95 * math.sqrt(whole)
    return TimeLeft(
        left * mean_s,
        max(left * float(epoch_s.min()), left * mean_s - reach_s),
        min(left * float(epoch_s.max()), left * mean_s + reach_s),
    )
