"""Sharing scores: how much a job slows down, and is slowed down by, others on its GPUs."""

from __future__ import annotations

import numpy as np

from simulation.records import Floats, Ints

TINY, MEDIUM, JUMBO = range(3)


def sharing_scores(speeds: Floats, thresholds: tuple[float, ...] = (0.85, 0.95)) -> Ints:
    """(kinds,) TINY, MEDIUM or JUMBO by the mean speed of a kind over all of its partners.

    speeds (kinds, partners): speed of a kind beside a partner, 1 alone; nan where they do not fit together. A
    kind below the first threshold is jumbo, one at or above the second tiny; one that fits beside nobody is jumbo.
    """
    fits = ~np.isnan(speeds)
    mean = np.where(fits, speeds, 0.0).sum(axis=1) / np.maximum(1, fits.sum(axis=1))
    scores: Ints = len(thresholds) - np.searchsorted(np.array(thresholds), mean, side="right")
    return scores
