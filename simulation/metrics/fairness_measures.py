"""Single numbers of fairness between jobs that experiments compare: pure functions of the records of a run."""

from __future__ import annotations

import numpy as np

from simulation.metrics.distributions import Distribution
from simulation.metrics.fairness import finish_time_fairness
from simulation.metrics.jobs import job_times
from simulation.metrics.measures import Measure
from simulation.records import Floats, RunRecords

WORST = 0.1


def _rho(records: RunRecords) -> Floats:
    times = job_times(records.jobs)
    rho = finish_time_fairness(records.jobs, times, sum(pool.gpus for pool in records.pools), records.end_s)
    return rho[np.isfinite(rho)]


def _largest_rho(records: RunRecords) -> float:
    return float(_rho(records).max(initial=-np.inf)) if len(_rho(records)) else np.nan


def _rho_spread(records: RunRecords) -> float:
    return float(_rho(records).std()) if len(_rho(records)) else np.nan


def _worst_slowdown(records: RunRecords) -> float:
    slowdown = Distribution(job_times(records.jobs).slowdown).values
    worst = slowdown[slowdown >= np.quantile(slowdown, 1 - WORST)] if len(slowdown) else slowdown
    return float(worst.mean()) if len(worst) else np.nan


LARGEST_RHO = Measure("largest finish-time fairness rho", "", _largest_rho)
RHO_SPREAD = Measure("standard deviation of finish-time fairness rho", "", _rho_spread)
WORST_SLOWDOWN = Measure("mean slowdown of the worst-off tenth of jobs", "", _worst_slowdown)
