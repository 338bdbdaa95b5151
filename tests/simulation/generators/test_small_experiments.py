"""Made-up clusters of unlike GPUs, and of jobs that contend, bring just the load that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.generators.apps import short_and_long
from simulation.generators.unlike import MODELS, STEPS_PER_S, unlike_gpus
from simulation.scenario import Scenario


def span_s(drawn: Scenario) -> float:
    """Jobs come evenly over the span: the last of many, and a little more."""
    jobs = drawn.workload.jobs
    assert jobs is not None
    return max(jobs.submit_s) * (len(jobs) + 1) / len(jobs)


def test_unlike_gpus_are_asked_for_what_they_can_do_at_mean_rates() -> None:
    drawn = unlike_gpus(np.random.default_rng(0), load=0.8, jobs=2000, gpus=4)
    jobs = drawn.workload.jobs
    assert jobs is not None
    assert jobs.profile is not None
    pace = {name: float(np.mean(rates)) / rates[-1] for name, rates in STEPS_PER_S.items()}
    work = sum(d / pace[str(kind)] for d, kind in zip(jobs.duration_s, jobs.profile, strict=True))
    assert work / (4 * len(MODELS) * span_s(drawn)) == pytest.approx(0.8, rel=0.01)
    assert {point.gpu_model for profile in drawn.workload.profiles for point in profile.points} == set(MODELS)


@pytest.mark.parametrize("elastic", [False, True])
def test_short_and_long_jobs_bring_the_load_of_their_gangs(elastic: bool) -> None:
    drawn = short_and_long(np.random.default_rng(0), load=0.9, jobs=2000, elastic=elastic)
    jobs = drawn.workload.jobs
    assert jobs is not None
    assert np.dot(jobs.gpus, jobs.duration_s) / (16 * span_s(drawn)) == pytest.approx(0.9, rel=0.01)
    assert (jobs.gpus_min is not None) == elastic
    assert 0.4 < np.mean(np.array(jobs.duration_s) > 5400) < 0.6
