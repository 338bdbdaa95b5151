"""Recorded instants at another demand: the one rule for jobs and requests alike."""

from __future__ import annotations

import numpy as np

from simulation.records import Floats, Ints


def scaled(times_s: Floats, factor: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Rows of `times_s` (n,), ascending, at `factor` times the demand, and the ascending instants at which they come.

    Each row is kept floor(factor) times, and once more with probability equal to the rest. The first copy stays where
    it was; each repeat moves by a uniform jitter of up to one mean gap, so that copies do not arrive in pairs.
    A factor of 1 returns every row unchanged and draws nothing.
    """
    rows = np.arange(len(times_s), dtype=np.int64)
    if factor == 1.0 or not len(times_s):
        return rows, times_s
    whole = int(np.floor(factor))
    rows = np.repeat(rows, whole + (rng.random(len(times_s)) < factor - whole))
    repeat = np.zeros(len(rows), dtype=bool)
    repeat[1:] = rows[1:] == rows[:-1]
    gap_s = (times_s[-1] - times_s[0]) / max(1, len(times_s) - 1)
    moved_s = times_s[rows] + repeat * rng.uniform(0.0, gap_s, len(rows))
    order = np.argsort(moved_s, kind="stable")
    return rows[order], moved_s[order]
