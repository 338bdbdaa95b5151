"""Synthetic job lists have the statistics that they are asked for, and equal seeds give equal lists."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from simulation.generators.jobs import (
    DAY_S,
    PHILLY,
    PHILLY_GANGS,
    PHILLY_MEAN_S,
    PHILLY_MEDIAN_S,
    JobMix,
    at_load,
    offered_load,
    rate_profile,
    synthetic_jobs,
)


def draw(mix=PHILLY, seed=1):
    return synthetic_jobs(mix, np.random.default_rng(seed))


def test_equal_seeds_give_equal_jobs():
    assert draw() == draw()
    assert draw(seed=1) != draw(seed=2)


def test_number_run_times_and_gangs_follow_the_mix():
    jobs = draw(replace(PHILLY, days=28, weekend=1.0, longest_s=1e9), seed=5)
    n = len(jobs)
    assert n == pytest.approx(28 * PHILLY.jobs_per_day, rel=0.03)
    assert np.median(jobs.duration_s) == pytest.approx(PHILLY_MEDIAN_S, rel=0.06)
    assert np.mean(np.log(jobs.duration_s)) == pytest.approx(np.log(PHILLY_MEDIAN_S), abs=0.06)
    singles = PHILLY_GANGS[1] / sum(PHILLY_GANGS.values())
    assert Counter(jobs.gpus)[1] / n == pytest.approx(singles, abs=0.01)


def test_philly_figures_are_those_of_the_list(shared_dir):
    with gzip.open(shared_dir / "traces/philly-jobs/philly_jobs.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert Counter(int(float(row["num_gpus"])) for row in rows) == PHILLY_GANGS
    lengths = [float(row["duration"]) for row in rows]
    assert (round(float(np.median(lengths))), round(float(np.mean(lengths)))) == (PHILLY_MEDIAN_S, PHILLY_MEAN_S)


def test_days_are_busier_than_nights_and_weekends():
    jobs = draw(replace(PHILLY, days=56), seed=3)
    submit = np.array(jobs.submit_s)
    hour, weekend = submit / 3600 % 24, (submit // DAY_S) % 7 >= 5
    assert ((hour >= 12) & (hour < 18)).sum() > 2.5 * ((hour >= 0) & (hour < 6)).sum()
    assert weekend.sum() / 2 == pytest.approx(0.5 * (~weekend).sum() / 5, rel=0.06)
    assert rate_profile(PHILLY, np.arange(0, 5 * DAY_S, 60.0)).mean() == pytest.approx(1.0, abs=1e-6)


def test_users_never_ask_for_less_than_a_job_takes():
    jobs = draw()
    assert all(e >= d for e, d in zip(jobs.estimate_s, jobs.duration_s, strict=True))


def test_deadlines_are_instants_for_a_share_of_the_jobs():
    jobs = draw(replace(PHILLY, deadline_share=0.25))
    given = [(s, d, due) for s, d, due in zip(jobs.submit_s, jobs.duration_s, jobs.deadline_s, strict=True) if due]
    assert len(given) / len(jobs) == pytest.approx(0.25, abs=0.02)
    assert all(due >= s + 2 * d - 1e-6 for s, d, due in given)
    assert draw().deadline_s is None


def test_the_load_can_be_set():
    jobs = at_load(draw(replace(PHILLY, deadline_share=0.2)), 0.9, gpus=100, span_s=14 * DAY_S)
    assert offered_load(jobs, 100, 14 * DAY_S) == pytest.approx(0.9)
    assert all(e >= d for e, d in zip(jobs.estimate_s, jobs.duration_s, strict=True))
    assert all(due is None or due > s for s, due in zip(jobs.submit_s, jobs.deadline_s, strict=True))


def test_a_mean_below_the_median_is_refused():
    with pytest.raises(ValueError, match=r"mean run time 1\.0 s, expected more than the median 2\.0 s"):
        draw(JobMix(jobs_per_day=1, days=1, median_s=2.0, mean_s=1.0))
