"""A gang that finds no room beside a service waits to the end, and so does what stands behind it: counted, no error."""

from __future__ import annotations

import pytest

from simulation.records import JobOutcome
from simulation.run import simulate
from simulation.scenario import Phase, Requests, Scenario, Service, Workload
from tests.simulation.building import table, training


def beside_a_service(system: str) -> Scenario:
    """8 GPUs of which a service keeps one; a gang of 8 arrives first, a job of 1 GPU after it."""
    scenario = training(table((0.0, 10.0, 8), (1.0, 10.0, 1)), system)
    requests = Requests(phases=[Phase(start_s=0.0, rate_per_s=1.0)], process="constant", end_s=100.0)
    service = Service(name="s", alpha_s=0.1, replicas=1, requests=requests)
    return scenario.model_copy(update={"workload": Workload(jobs=scenario.workload.jobs, services=[service])})


@pytest.mark.parametrize("system", ["fcfs-quota", "yarn-cs"])
def test_a_blocked_head_and_its_followers_are_stranded(system):
    jobs = simulate(beside_a_service(system)).records.jobs
    assert jobs.outcome.tolist() == [JobOutcome.WAITING, JobOutcome.WAITING]


def test_a_walk_that_passes_over_the_head_strands_the_head_alone():
    outcome = simulate(beside_a_service("srtf"))
    assert outcome.records.jobs.outcome.tolist() == [JobOutcome.WAITING, JobOutcome.FINISHED]
    assert outcome.document["decisions"]["jobs_stranded"] == 1
