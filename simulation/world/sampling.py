"""How a seed turns recorded jobs into one replication: as recorded, resampled, thinned or repeated."""

from __future__ import annotations

import numpy as np

from simulation.records import Floats, Ints
from simulation.scenario import JobTable, Sampling

DAY_S = 86_400.0


def sample_rows(jobs: JobTable, sampling: Sampling, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Rows of `jobs` to run and the instants at which each is submitted, ordered by (instant, row).

    A replay with a demand factor of 1 draws nothing. Repeats are moved by up to half a mean gap, so that they do not
    arrive in pairs.
    """
    submit_s = np.asarray(jobs.submit_s, dtype=np.float64)
    rows = np.argsort(submit_s, kind="stable").astype(np.int64)
    times_s = submit_s[rows]
    if sampling.demand_factor != 1.0 and len(rows):
        picked, times_s = _scaled(times_s, sampling.demand_factor, rng)
        rows = rows[picked]
    if sampling.mode == "resampled" and len(rows):
        rows = _redrawn(rows, times_s, rng)
    return rows, times_s


def _scaled(times_s: Floats, factor: float, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Each job floor(factor) times, and once more with probability of the rest; the first copy stays in its place."""
    whole = int(np.floor(factor))
    copies = whole + (rng.random(len(times_s)) < factor - whole)
    picked = np.repeat(np.arange(len(times_s)), copies)
    repeated = np.zeros(len(picked), dtype=bool)
    repeated[1:] = picked[1:] == picked[:-1]
    half_gap_s = (times_s[-1] - times_s[0]) / max(1, len(times_s) - 1) / 2.0
    moved = times_s[picked] + repeated * rng.uniform(0.0, half_gap_s, len(picked))
    order = np.argsort(moved, kind="stable")
    return picked[order].astype(np.int64), moved[order]


def _redrawn(rows: Ints, times_s: Floats, rng: np.random.Generator) -> Ints:
    """Bodies drawn with replacement among the jobs of the same day of the horizon."""
    day = np.floor(times_s / DAY_S).astype(np.int64)
    first = np.searchsorted(day, day, side="left")
    count = np.searchsorted(day, day, side="right") - first
    drawn: Ints = rows[first + (rng.random(len(rows)) * count).astype(np.int64)]
    return drawn
