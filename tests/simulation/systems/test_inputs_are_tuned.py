"""Synergy: cores go where they help, nobody is slower than with a proportional share, no GPU idles for their want."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.fed import hungry_and_modest
from simulation.metrics.jobs import job_times
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Scenario
from tests.simulation.building import pool, random_jobs, training


def run(scenario: Scenario, **parameters: Any) -> RunRecords:
    changes = {key.replace("__", "."): value for key, value in parameters.items()}
    return run_records(scenario.model_copy(update={"training": Choice(system="synergy", parameters=changes)}))


@pytest.mark.parametrize("hungry", [0.2, 0.5, 1.0])
def test_no_job_runs_longer_than_with_its_proportional_share(hungry: float) -> None:
    scenario = hungry_and_modest(np.random.default_rng(1), load=1.1, hungry=hungry, jobs=150)
    records = run(scenario)
    jobs = scenario.workload.jobs
    assert jobs is not None
    proportional_s = dict(zip(jobs.id, jobs.duration_s, strict=True))
    held_s = dict(zip(records.jobs.id, records.jobs.held_s.tolist(), strict=True))
    assert all(held_s[job] <= proportional_s[job] * (1 + 1e-9) for job in jobs.id)
    assert min(held_s[job] / proportional_s[job] for job in jobs.id) == pytest.approx(1 / 2.4)
    assert records.decisions.get("plans_refused", 0) == 0


def test_where_nobody_is_hungry_nothing_is_gained() -> None:
    scenario = hungry_and_modest(np.random.default_rng(2), load=0.9, hungry=0.0, jobs=150)
    assert run(scenario).jobs.end_s.tolist() == run(scenario, inputs="none").jobs.end_s.tolist()


def busy_gpu_s_while_a_job_waits(records: RunRecords, gpus: int) -> tuple[float, float]:
    """(idle, all) GPU-seconds of the instants at which anyone waits."""
    jobs, waiting = records.jobs, job_times(records.jobs).wait_s > 0
    edges = np.unique(np.concatenate([jobs.submit_s, jobs.first_start_s, jobs.end_s]))
    idle = whole = 0.0
    for start_s, end_s in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if (waiting & (jobs.submit_s <= start_s) & (jobs.first_start_s >= end_s)).any():
            running = int(((jobs.first_start_s <= start_s) & (jobs.end_s >= end_s)).sum())
            idle += (gpus - running) * (end_s - start_s)
            whole += gpus * (end_s - start_s)
    return idle, whole


def test_jobs_that_insist_on_their_cores_leave_gpus_idle_and_tuned_ones_do_not() -> None:
    scenario = hungry_and_modest(np.random.default_rng(3), load=1.3, hungry=1.0, nodes=2, jobs=100)
    idle, whole = busy_gpu_s_while_a_job_waits(run(scenario), 16)
    assert whole > 0
    assert idle == 0.0
    idle, whole = busy_gpu_s_while_a_job_waits(run(scenario, inputs__skip=True), 16)
    assert idle > 0.2 * whole


def test_where_cores_are_unknown_everyone_has_a_proportional_share() -> None:
    jobs = random_jobs(4)
    tuned, plain = (
        run_records(training(jobs, "synergy", [pool(3, 8)], changes)) for changes in ({}, {"inputs": "none"})
    )
    assert tuned.jobs.end_s.tolist() == plain.jobs.end_s.tolist()


def test_gangs_of_several_nodes_are_fed_too() -> None:
    jobs = random_jobs(5)
    pools = [pool(3, 8, cores_per_node=24, memory_per_node_bytes=500_000_000_000)]
    records = run_records(training(jobs, "synergy", pools))
    assert not np.isnan(records.jobs.end_s).any()
    assert records.decisions.get("plans_refused", 0) == 0
