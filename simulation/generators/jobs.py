"""Synthetic training jobs: daily rhythm of submissions, lognormal run times, a mix of gangs, tenants. Seeded.

The form is that of published cluster logs: most jobs are short and small, a few long ones make up the load. A mix is
data; `PHILLY` holds what the cleaned Philly job list says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from simulation.records import Floats, Ints
from simulation.scenario import JobTable

DAY_S = 86_400.0

# 82,247 jobs of Microsoft Philly, 2017-09-04 to 2017-12-22, as cleaned for Sia (siasosp23/artifacts @ aaf7a0de):
# jobs by gang, and a median run time of 1,144 s with a mean of 13,136 s
PHILLY_GANGS: Mapping[int, float] = {
    1: 76_627, 2: 1_818, 4: 1_870, 8: 1_643, 12: 7, 16: 199, 24: 7, 32: 67, 64: 6, 128: 3,
}  # fmt: skip
PHILLY_MEDIAN_S = 1_144.0
PHILLY_MEAN_S = 13_136.0


@dataclass(frozen=True, slots=True)
class JobMix:
    """What a synthetic log is drawn from. Weights need not sum to 1.

    A lognormal has its mean at median x exp(sigma^2 / 2), so `median_s` and `mean_s` give both of its parameters.
    """

    jobs_per_day: float
    days: float
    gangs: Mapping[int, float] = field(default_factory=lambda: PHILLY_GANGS)
    median_s: float = PHILLY_MEDIAN_S
    mean_s: float = PHILLY_MEAN_S
    longest_s: float = 5 * DAY_S
    tenants: Mapping[str, float] = field(default_factory=lambda: {"default": 1.0})
    day_swing: float = 0.6  # rate at the peak hour is (1 + swing) x mean, at night (1 - swing) x mean
    peak_h: float = 15.0
    weekend: float = 0.5  # rate on the sixth and seventh day of a week, against the other five
    estimate_up_to: float = 3.0  # users ask for 1 to this many times what the job takes
    deadline_share: float = 0.0
    deadline_slack: tuple[float, float] = (2.0, 8.0)  # deadline = submit + slack x run time


PHILLY = JobMix(jobs_per_day=82_247 / 109, days=14)


def synthetic_jobs(mix: JobMix, rng: np.random.Generator) -> JobTable:
    """Draw a job list: a Poisson number of jobs, independent bodies; ids `job-00001` and on, in order of submission."""
    submit_s = _submissions(mix, rng)
    n = len(submit_s)
    duration_s = np.clip(np.round(rng.lognormal(math.log(mix.median_s), _sigma(mix), n)), 1.0, mix.longest_s)
    gpus = _choose(mix.gangs, n, rng)
    tenant = _choose(mix.tenants, n, rng)
    estimate_s = np.ceil(duration_s * rng.uniform(1.0, mix.estimate_up_to, n) / 60) * 60
    slack = rng.uniform(*mix.deadline_slack, n)
    due = rng.random(n) < mix.deadline_share
    deadline_s = [
        float(s + k * d) if given else None for s, k, d, given in zip(submit_s, slack, duration_s, due, strict=True)
    ]
    return JobTable(
        id=[f"job-{i:05d}" for i in range(1, n + 1)],
        submit_s=submit_s.tolist(),
        duration_s=duration_s.tolist(),
        gpus=[list(mix.gangs)[i] for i in gpus],
        tenant=[list(mix.tenants)[i] for i in tenant],
        estimate_s=estimate_s.tolist(),
        deadline_s=deadline_s if mix.deadline_share > 0 else None,
    )


def _sigma(mix: JobMix) -> float:
    if mix.mean_s <= mix.median_s:
        raise ValueError(f"mean run time {mix.mean_s} s, expected more than the median {mix.median_s} s")
    return math.sqrt(2 * math.log(mix.mean_s / mix.median_s))


def _choose(weights: Mapping[int, float] | Mapping[str, float], n: int, rng: np.random.Generator) -> Ints:
    share = np.array(list(weights.values()), dtype=np.float64)
    return rng.choice(len(share), n, p=share / share.sum())


def rate_profile(mix: JobMix, at_s: Floats) -> Floats:
    """Relative rate of submissions at instants of the horizon; mean 1 over a weekday."""
    hours = at_s / 3600 % 24
    daily = 1 + mix.day_swing * np.cos((hours - mix.peak_h) * 2 * np.pi / 24)
    weekend = (at_s // DAY_S) % 7 >= 5
    rate: Floats = daily * np.where(weekend, mix.weekend, 1.0)
    return rate


def _submissions(mix: JobMix, rng: np.random.Generator) -> Floats:
    """Whole seconds of a Poisson process with the profile's rate, by thinning one that is as fast as its peak."""
    end_s, peak = mix.days * DAY_S, 1 + mix.day_swing
    candidates = rng.uniform(0.0, end_s, rng.poisson(mix.jobs_per_day * mix.days * peak))
    kept = candidates[rng.random(len(candidates)) * peak < rate_profile(mix, candidates)]
    return np.floor(np.sort(kept))


def offered_load(jobs: JobTable, gpus: int, span_s: float) -> float:
    """Work that the jobs bring over what `gpus` reference GPUs can do in `span_s`."""
    return float(np.dot(jobs.gpus, jobs.duration_s)) / (gpus * span_s)


def at_load(jobs: JobTable, load: float, gpus: int, span_s: float) -> JobTable:
    """The same jobs with run times, estimates and the spans to their deadlines scaled to an offered load of `load`."""
    factor = load / offered_load(jobs, gpus, span_s)
    scaled: dict[str, list[float] | list[float | None]] = {"duration_s": [d * factor for d in jobs.duration_s]}
    if jobs.estimate_s is not None:
        scaled["estimate_s"] = [None if e is None else e * factor for e in jobs.estimate_s]
    if jobs.deadline_s is not None:
        due = zip(jobs.submit_s, jobs.deadline_s, strict=True)
        scaled["deadline_s"] = [None if d is None else s + (d - s) * factor for s, d in due]
    return jobs.model_copy(update=scaled)
