"""How a seed turns recorded jobs into one replication: as recorded, resampled, thinned or repeated."""

from __future__ import annotations

import numpy as np

from simulation.generators.demand import scaled
from simulation.records import Floats, Ints
from simulation.scenario import JobTable, Sampling

DAY_S = 86_400.0


def sample_rows(jobs: JobTable, sampling: Sampling, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Rows of `jobs` to run and the instants at which each is submitted, ordered by (instant, row).

    Demand is scaled by `generators.demand.scaled`. A replay with a demand factor of 1 draws nothing.
    """
    submit_s = np.asarray(jobs.submit_s, dtype=np.float64)
    rows = np.argsort(submit_s, kind="stable").astype(np.int64)
    picked, times_s = scaled(submit_s[rows], sampling.demand_factor, rng)
    rows = rows[picked]
    if sampling.mode == "resampled" and len(rows):
        rows = _redrawn(rows, times_s, rng)
    return rows, times_s


def _redrawn(rows: Ints, times_s: Floats, rng: np.random.Generator) -> Ints:
    """Bodies drawn with replacement among the jobs of the same day of the horizon."""
    day = np.floor(times_s / DAY_S).astype(np.int64)
    first = np.searchsorted(day, day, side="left")
    count = np.searchsorted(day, day, side="right") - first
    drawn: Ints = rows[first + (rng.random(len(rows)) * count).astype(np.int64)]
    return drawn
