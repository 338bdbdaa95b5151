"""A gang over GPUs of several models: only where the rule says so, only on models that it permits, at the slowest."""

from __future__ import annotations

from typing import Any

import pytest

from simulation.rate_profile import RatePoint, RateProfile
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Scenario, Workload
from tests.simulation.building import pool, table, training

FAST, SLOW = {"gpu_model": "A100", "speed": 2.0, "name": "fast"}, {"gpu_model": "V100", "name": "slow"}
BOTH: list[str] = []


def run(jobs: JobTable, placement: str, fast: int = 4, slow: int = 4, **parameters: Any) -> RunRecords:
    pools = [pool(1, fast, **FAST), pool(1, slow, **SLOW)]
    return run_records(training(jobs, "sjf", pools, {"placement": placement} | parameters))


def half_taken(*jobs: tuple[float, float, int], models: list[list[str]], **columns: Any) -> JobTable:
    """`jobs` after two that hold two GPUs of either model for 100 s."""
    return table((0, 200, 2), (0, 100, 2), *jobs, gpu_models=[["A100"], ["V100"], *models], **columns)


def test_a_gang_takes_gpus_of_two_models_and_is_as_fast_as_the_slower() -> None:
    jobs = half_taken((1, 50, 4), models=[BOTH])
    assert run(jobs, "take-any").jobs.first_start_s.tolist() == [0, 0, 100]
    spanning = run(jobs, "span-models")
    assert spanning.jobs.first_start_s.tolist() == [0, 0, 1]
    assert spanning.jobs.end_s[2] == 51.0
    assert spanning.jobs.gpu_s_by_pool[2].tolist() == [100.0, 100.0]


def test_a_job_that_permits_one_model_waits_for_it() -> None:
    jobs = half_taken((1, 50, 4), models=[["A100"]])
    assert run(jobs, "span-models").jobs.first_start_s[2] == 100.0


def test_one_model_is_enough_where_it_has_room() -> None:
    records = run(table((0, 100, 3)), "span-models")
    assert records.jobs.end_s.tolist() == [50.0]
    assert records.jobs.gpu_s_by_pool[0].tolist() == [150.0, 0.0]


def test_fast_gpus_that_do_not_help_are_left_to_others() -> None:
    jobs = table((0, 100, 1), (0, 100, 6), (1, 10, 3), gpu_models=[["A100"], BOTH, ["A100"]])
    records = run(jobs, "span-models", fast=6, slow=4)
    assert records.jobs.gpu_s_by_pool[1].tolist() == [200.0, 400.0]
    assert records.jobs.first_start_s.tolist() == [0, 0, 1]


def test_the_slower_one_is_the_one_on_which_the_profile_is_slower() -> None:
    points = [RatePoint(gpu_model=m, gpus=n, level=at, rate=rate * n) for m, rate in (("A100", 1.0), ("V100", 3.0))
              for n in (1, 2, 4) for at in ("node", "cluster")]  # fmt: skip
    profile = RateProfile(name="odd", reference_model="V100", points=points)
    jobs = half_taken((1, 60, 4), models=[BOTH], profile=[None, None, "odd"])
    scenario = Scenario(
        cluster=Cluster(pools=[pool(1, 4, **FAST), pool(1, 4, **SLOW)]),
        workload=Workload(jobs=jobs, profiles=[profile]),
        training=Choice(system="sjf", parameters={"placement": "span-models"}),
    )
    records = run_records(scenario)
    assert records.jobs.first_start_s[2] == 1.0
    assert records.jobs.end_s[2] == pytest.approx(1.0 + 60.0 * 3.0)  # though that model is the faster one for others


def test_who_spans_models_grows_on_either() -> None:
    jobs = half_taken((1, 400, 4), models=[BOTH], gpus_min=[2, 2, 4], gpus_max=[2, 2, 6])
    records = run(jobs, "span-models", sizing="elastic-gang")
    assert records.jobs.gpu_s_by_pool[2].sum() == pytest.approx(4 * 99 + 6 * (records.jobs.end_s[2] - 100))
    assert records.jobs.end_s[2] == pytest.approx(100 + (400 - 99) / 1.5)
