"""Philly: locality is given up attempt by attempt, attempts cost others, and entitlements are reclaimed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.contended import racks
from simulation.metrics.measures import held_of_gangs, wait_of_gangs
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, JobTable, Overheads
from tests.simulation.building import pool, table, training


def run(jobs: JobTable, nodes: int, gpus: int = 8, rack_nodes: int | None = None, **parameters: Any) -> RunRecords:
    changes = {f"placement.{key}": value for key, value in parameters.items()}
    pools = [pool(nodes, gpus, links={"rack_nodes": rack_nodes})]
    return run_records(training(jobs, "philly", pools, changes))


def nodes_of(records: RunRecords, job: int) -> list[int]:
    spans = records.job_spans
    return sorted(spans.node[spans.owner == job].tolist())


def test_a_gang_spreads_only_after_its_attempts_have_failed() -> None:
    """4 and 3 GPUs of two nodes are free, so none holds the gang of 7: after three attempts of 150 s, each with its
    pause of 120 s, both nodes together will do."""
    records = run(table((0.0, 1e5, 4), (0.0, 1e5, 5), (10.0, 100.0, 7)), 2)
    assert nodes_of(records, 0) != nodes_of(records, 1)
    assert nodes_of(records, 2) == [0, 1]
    assert records.jobs.first_start_s[2] == 10.0 + 3 * 150 + 3 * 120


def test_until_then_it_takes_one_node_as_soon_as_there_is_one() -> None:
    records = run(table((0.0, 300.0, 4), (0.0, 1e5, 5), (10.0, 100.0, 7)), 2)
    assert nodes_of(records, 2) == nodes_of(records, 0)
    assert records.jobs.first_start_s[2] == 300.0


def test_during_a_pause_it_takes_nothing() -> None:
    """The node comes free at 200 s; the attempt ended at 160 s, the next begins at 280 s."""
    records = run(table((0.0, 200.0, 4), (0.0, 1e5, 5), (10.0, 100.0, 7)), 2)
    assert records.jobs.first_start_s[2] == 280.0


@pytest.mark.parametrize(("hold", "start_s"), [(True, 160.0), (False, 20.0)])
def test_an_attempt_keeps_what_it_could_use_from_others(hold: bool, start_s: float) -> None:
    """3 and 2 GPUs of two nodes are free: a gang of 5 gathers the 3, until it fails at 160 s."""
    jobs = table((0.0, 1e4, 5), (0.0, 1e4, 6), (10.0, 100.0, 5), (20.0, 10.0, 3))
    assert run(jobs, 2, hold=hold).jobs.first_start_s[3] == start_s


def test_a_tenant_below_its_share_takes_gpus_back_on_a_full_cluster() -> None:
    """Two tenants, 8 GPUs: `a` holds all of them; the latest of its jobs is killed, and goes on from a checkpoint."""
    jobs = table((0.0, 1000.0, 4), (100.0, 1000.0, 4), (500.0, 50.0, 4))
    jobs = jobs.model_copy(update={"tenant": ["a", "a", "b"]})
    scenario = training(jobs, "philly", [pool(1, 8)], overheads=Overheads(checkpoint_interval_s=300.0))
    records = run_records(scenario).jobs
    assert records.first_start_s.tolist() == [0.0, 100.0, 500.0]
    assert records.preemptions.tolist() == [0, 1, 0]
    assert records.lost_gpu_s.tolist() == [0.0, 400.0, 0.0]  # 100 s since its checkpoint, on 4 GPUs
    assert records.end_s[1] == 1250.0


def test_below_the_mark_nobody_is_killed() -> None:
    """The same with two GPUs more: 8 of 10 in use is less than nine tenths."""
    jobs = table((0.0, 1000.0, 4), (100.0, 1000.0, 4), (500.0, 50.0, 4))
    jobs = jobs.model_copy(update={"tenant": ["a", "a", "b"]})
    assert not run_records(training(jobs, "philly", [pool(1, 10)])).jobs.preemptions.any()


def test_without_locality_from_the_start_gangs_wait_least_and_run_longest() -> None:
    means = []
    for attempts in (0, 3, 10_000):
        choice = Choice(
            system="philly",
            parameters={"placement.give_up_nodes": attempts, "placement.give_up_rack": 2 * attempts}
            if attempts < 10_000
            else {"placement.give_up_nodes": attempts, "placement.give_up_rack": attempts},
        )
        runs = [
            run_records(racks(np.random.default_rng(seed), load=0.6, jobs=150).model_copy(update={"training": choice}))
            for seed in range(4)
        ]
        means.append([np.mean([of(16).of(r) for r in runs]) for of in (wait_of_gangs, held_of_gangs)])
    anywhere, relaxing, strict = means
    assert anywhere[0] < relaxing[0] < strict[0]
    assert anywhere[1] > relaxing[1] > strict[1]
