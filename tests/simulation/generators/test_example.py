"""The example is small, busy, complete and marked illustrative everywhere."""

from __future__ import annotations

import pytest

from simulation.generators import example
from simulation.generators.jobs import DAY_S, offered_load
from simulation.provenance import Origin
from simulation.scenario import scenario_digest


def test_it_is_the_same_each_time():
    assert scenario_digest(example.scenario()) == scenario_digest(example.scenario())


def test_everything_in_it_is_illustrative():
    scenario = example.scenario()
    assert {getattr(scenario.origins, group) for group in type(scenario.origins).model_fields} == {Origin.ILLUSTRATIVE}
    assert set(scenario.sources) == set(type(scenario.origins).model_fields)


def test_the_three_sizes_are_short_about_right_and_roomy():
    jobs = example.training_jobs()
    training = [n * 8 + round((24 - example.SERVING_GPUS) * example.H100_SPEED) for n in example.A100_NODES]
    small, middle, large = (offered_load(jobs, gpus, example.DAYS * DAY_S) for gpus in training)
    assert 1400 < len(jobs) < 1600
    assert middle < small < 1.1
    assert 0.8 < middle < 1.0
    assert 0.6 < large < middle


def test_no_job_is_too_large_and_every_figure_that_metrics_need_is_there():
    smallest = example.cluster(min(example.A100_NODES))
    assert max(example.training_jobs().gpus) <= max(pool.gpus for pool in smallest.pools)
    assert all(pool.idle_w is not None and pool.peak_w is not None for pool in smallest.pools)
    assert {line.pool for line in example.prices().lines} == {pool.name for pool in smallest.pools}
    assert sum(example.QUOTAS.values()) == pytest.approx(1.0)
    assert set(example.QUOTAS) == set(example.training_jobs().tenant)
