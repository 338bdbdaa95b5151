"""Single numbers of a run that experiments compare: pure functions of its records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simulation.metrics.capacity import pool_use
from simulation.metrics.cost import cost_lines
from simulation.metrics.distributions import Distribution
from simulation.metrics.energy import pool_energy_kwh
from simulation.metrics.jobs import deadlines, job_times
from simulation.metrics.requests import service_requests
from simulation.records import JobOutcome, RunRecords
from simulation.scenario import Prices

LONGEST = 0.05


@dataclass(frozen=True)
class Measure:
    """`of` gives nan where a run does not say."""

    name: str
    unit: str
    of: Callable[[RunRecords], float]


def _mean(values: np.ndarray) -> float:
    found = Distribution(values).mean
    return np.nan if found is None else found


def _mean_jct_s(records: RunRecords) -> float:
    return _mean(job_times(records.jobs).jct_s)


def _mean_wait_s(records: RunRecords) -> float:
    return _mean(job_times(records.jobs).wait_s)


def _longest_jct_s(records: RunRecords) -> float:
    isolated_s = records.jobs.isolated_s
    longest = isolated_s >= np.quantile(isolated_s, 1 - LONGEST)
    return _mean(job_times(records.jobs).jct_s[longest])


def _makespan_s(records: RunRecords) -> float:
    """From the first submission to the last end; nan where a job has not ended."""
    jobs = records.jobs
    return float(jobs.end_s.max() - jobs.submit_s.min())


def _preemptions(records: RunRecords) -> float:
    return float(records.jobs.preemptions.sum())


def _worst_tenant_slowdown(records: RunRecords) -> float:
    jobs, slowdown = records.jobs, job_times(records.jobs).slowdown
    return max(_mean(slowdown[jobs.tenant == tenant]) for tenant in range(len(jobs.tenants)))


def _slo_attainment(records: RunRecords) -> float:
    services = service_requests(records)
    decided = sum(s.decided or 0 for s in services)
    return sum(s.on_time or 0 for s in services) / decided if decided else np.nan


def _deadlines_met(records: RunRecords) -> float:
    decided, missed = deadlines(records.jobs, records.end_s)
    return 1.0 - float(missed.sum()) / int(decided.sum()) if decided.any() else np.nan


def _broken_promises(records: RunRecords) -> float:
    _, missed = deadlines(records.jobs, records.end_s)
    return float((missed & (records.jobs.outcome != JobOutcome.REJECTED)).sum())


def _best_effort_jct_s(records: RunRecords) -> float:
    return _mean(job_times(records.jobs).jct_s[np.isnan(records.jobs.deadline_s)])


def _energy_kwh(records: RunRecords) -> float:
    by_pool = pool_energy_kwh(records, pool_use(records), pue=1.0)
    return sum(np.nan if kwh is None else kwh for kwh in by_pool)


def cost_at(prices: Prices) -> Measure:
    """What a run costs at a price sheet, electricity apart."""

    def usd(records: RunRecords) -> float:
        _, total = cost_lines(records, prices, pool_use(records), [None] * len(records.pools))
        return np.nan if total.value is None else total.value

    return Measure("cost", "USD", usd)


def wait_of(tenant: str) -> Measure:
    """Mean wait of the jobs of one tenant."""

    def mean_s(records: RunRecords) -> float:
        jobs = records.jobs
        return _mean(job_times(jobs).wait_s[jobs.tenant == jobs.tenants.index(tenant)])

    return Measure(f"mean wait of tenant {tenant}", "s", mean_s)


def jct_of(tenant: str) -> Measure:
    """Mean JCT of the jobs of one tenant."""

    def mean_s(records: RunRecords) -> float:
        jobs = records.jobs
        return _mean(job_times(jobs).jct_s[jobs.tenant == jobs.tenants.index(tenant)])

    return Measure(f"mean JCT of tenant {tenant}", "s", mean_s)


def wait_of_gangs(least_gpus: int) -> Measure:
    """Mean wait of the jobs that asked for `least_gpus` or more."""

    def mean_s(records: RunRecords) -> float:
        return _mean(job_times(records.jobs).wait_s[records.jobs.gpus >= least_gpus])

    return Measure(f"mean wait of gangs of {least_gpus} GPUs or more", "s", mean_s)


def held_of_gangs(least_gpus: int) -> Measure:
    """Mean time with GPUs of the jobs that asked for `least_gpus` or more."""

    def mean_s(records: RunRecords) -> float:
        return _mean(records.jobs.held_s[records.jobs.gpus >= least_gpus])

    return Measure(f"mean time with GPUs of gangs of {least_gpus} GPUs or more", "s", mean_s)


MEAN_JCT = Measure("mean JCT", "s", _mean_jct_s)
BEST_EFFORT_JCT = Measure("mean JCT of jobs without a deadline", "s", _best_effort_jct_s)
DEADLINES_MET = Measure("deadlines met", "share", _deadlines_met)
BROKEN_PROMISES = Measure("deadlines missed by jobs that were not declined", "", _broken_promises)
ENERGY = Measure("energy", "kWh", _energy_kwh)
MEAN_WAIT = Measure("mean wait", "s", _mean_wait_s)
LONGEST_JCT = Measure("mean JCT of the longest 5 % of jobs", "s", _longest_jct_s)
MAKESPAN = Measure("makespan", "s", _makespan_s)
PREEMPTIONS = Measure("preemptions", "", _preemptions)
WORST_TENANT = Measure("mean slowdown of the worst-off tenant", "", _worst_tenant_slowdown)
SLO_ATTAINMENT = Measure("requests answered within the SLO", "share", _slo_attainment)
