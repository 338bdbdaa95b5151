"""A job runs only on models whose memory holds its peak; where none does it is rejected, and counted."""

from __future__ import annotations

import pytest

from simulation.rate_profile import Iteration, RateProfile
from simulation.records import JobOutcome
from simulation.run import run_records
from simulation.scenario import Cluster, JobTable, Scenario, Workload
from tests.simulation.building import TRAINING, pool, table
from tests.simulation.engine.scripted import play, put

GIB = 2**30
SMALL = pool(2, 8, gpu_memory_bytes=16 * GIB)
LARGE = pool(1, 8, name="b", gpu_model="A100", gpu_memory_bytes=80 * GIB)
PROFILE = RateProfile(name="p", iteration=Iteration(compute_s=1.0), memory_bytes=40.0 * GIB)


def scenario(jobs: JobTable, **rest: object) -> Scenario:
    cluster = Cluster(pools=[SMALL, LARGE])
    return Scenario(cluster=cluster, workload=Workload(jobs=jobs, profiles=[PROFILE]), **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize("system", TRAINING)
def test_no_system_puts_a_job_where_its_memory_is_not(system: str) -> None:
    needs = [[8, 40, 90, 16][i % 4] * GIB for i in range(24)]
    jobs = table(*((float(i), 50.0, 2) for i in range(24)), memory_bytes=needs)
    records = run_records(scenario(jobs, training={"system": system}))
    large = records.job_spans.node == 2
    assert large[[needs[job] == 40 * GIB for job in records.job_spans.owner]].all()
    rejected = records.jobs.outcome == JobOutcome.REJECTED
    assert rejected.tolist() == [need == 90 * GIB for need in needs]
    assert (records.jobs.outcome[~rejected] == JobOutcome.FINISHED).all()


def test_the_need_of_the_profile_counts_where_the_job_says_nothing() -> None:
    jobs = table((0, 50, 1), (0, 50, 1), (0, 50, 1), profile=["p", "p", None], memory_bytes=[None, 8 * GIB, None])
    records = run_records(scenario(jobs))
    assert dict(zip(records.job_spans.owner.tolist(), records.job_spans.node.tolist(), strict=True))[0] == 2


def test_a_plan_that_puts_it_there_all_the_same_is_refused() -> None:
    jobs = table((0, 50, 1), memory_bytes=[40 * GIB])
    _, loop = play(scenario(jobs, horizon_s=10.0), {0.0: [put(0, (0, 1))]})
    assert loop.refusal == "is placed on a GPU model that it does not permit"


def test_unknown_memory_is_taken_to_be_enough() -> None:
    jobs = table((0, 50, 1), memory_bytes=[500 * GIB])
    records = run_records(Scenario(cluster=Cluster(pools=[pool()]), workload=Workload(jobs=jobs)))
    assert records.jobs.outcome.tolist() == [JobOutcome.FINISHED]
