"""The order of finish-time ratios: equal service is told apart by where a job runs and how long it has waited."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.rate_profile import RatePoint, RateProfile
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Scenario, Workload
from tests.simulation.building import pool, random_jobs, table, training

ROUND_S = 600.0
FAIR: dict[str, Any] = {"ordering": "finish-time-ratio", "preemption": "rounds", "walk": "fit-first"}
LAS = FAIR | {"ordering": "attained-service", "ordering.thresholds_gpu_s": [600.0]}


def fair(jobs: JobTable, gpus: int = 8, **changes: object) -> Scenario:
    return training(jobs, "tiresias", [pool(1, gpus)], FAIR | changes)


def test_at_the_end_of_a_round_the_short_job_that_waits_takes_the_gpus() -> None:
    """It has waited for as long as it takes; the long one has lost next to nothing yet."""
    jobs = run_records(fair(table((0, 36_000, 8), (1, 600, 8)))).jobs
    assert jobs.first_start_s[1] == ROUND_S
    assert jobs.end_s.tolist() == [36_600.0, 1200.0]


@pytest.mark.parametrize(("changes", "preempted"), [(FAIR, [1, 0, 0]), (LAS, [0, 1, 0])])
def test_of_two_jobs_with_the_same_service_the_badly_placed_one_comes_first(
    changes: dict[str, Any], preempted: list[int]
) -> None:
    """The first job has a node, the second two halves of one and a quarter of the rate; a third comes for its turn.

    Attained service cannot tell the two apart, and takes the GPUs of the later one.
    """
    points = [("node", 4.0), ("rack", 1.0)]
    profile = RateProfile(
        name="needs one node",
        reference_model="V100",
        points=[RatePoint(gpu_model="V100", gpus=2, level=level, rate=rate) for level, rate in points],
    )
    jobs = table(*[(0, 6000, 2)] * 2, (1, 6000, 2)).model_copy(update={"profile": [profile.name] * 3})
    scenario = Scenario(
        cluster=Cluster(pools=[pool(1, 2), pool(2, 1, name="b")]),
        workload=Workload(jobs=jobs, profiles=[profile]),
        training=Choice(system="tiresias", parameters={"placement": "take-any"} | changes),
        horizon_s=ROUND_S + 1,
    )
    assert run_records(scenario).jobs.preemptions.tolist() == preempted


@pytest.mark.parametrize("seed", range(3))
def test_every_job_ends(seed: int) -> None:
    jobs = run_records(training(random_jobs(seed), "tiresias", [pool(3, 8)], FAIR)).jobs
    assert np.isfinite(jobs.end_s).all()


def test_who_has_waited_longer_for_the_same_work_comes_first() -> None:
    jobs = run_records(fair(table((0, 3000, 8), (10, 500, 8), (700, 500, 8)), preemption="none")).jobs
    assert jobs.first_start_s.tolist() == [0.0, 3000.0, 3500.0]
