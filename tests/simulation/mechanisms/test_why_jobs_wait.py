"""Why jobs wait is on record: every second of waiting has one cause, and the right one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.contended import racks
from simulation.mechanisms.wait_causes import FAIR_SHARE, FRAGMENTATION, FULL, NAMES, causes
from simulation.metrics.jobs import job_times
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, JobTable
from tests.simulation.building import pool, random_jobs, table, training


def run(jobs: JobTable, nodes: int, gpus: int, **parameters: Any) -> RunRecords:
    changes = {f"placement.{key}": value for key, value in parameters.items()}
    return run_records(training(jobs, "philly", [pool(nodes, gpus)], changes))


def waited(records: RunRecords) -> dict[str, tuple[int, int]]:
    """Cause -> seconds and jobs, of causes that there were."""
    counts = records.decisions
    both = {name: (counts.get(f"{name}_wait_s", 0), counts.get(f"{name}_waits", 0)) for name in NAMES}
    return {name: found for name, found in both.items() if any(found)}


@pytest.mark.parametrize(
    ("gang", "held", "limit", "free", "cause"),
    [
        (4, 0, 16, 4, FRAGMENTATION),
        (4, 8, 16, 4, FRAGMENTATION),  # above its share, but it may borrow
        (4, 8, 16, 3, FAIR_SHARE),
        (4, 4, 16, 3, FULL),  # within its share, which others hold
        (4, 5, 8, 16, FAIR_SHARE),  # may not borrow, whatever is free
        (12, 0, 8, 16, FRAGMENTATION),  # wider than all that its tenant may have: it runs when that holds nothing
    ],
)
def test_each_cause_is_told_from_the_others(gang: int, held: int, limit: int, free: int, cause: int) -> None:
    """A tenant that is entitled to 8 GPUs."""
    found = causes(np.array([gang]), np.array([held]), np.array([limit]), np.array([8.0]), free)
    assert found.tolist() == [cause]


def test_enough_gpus_in_the_wrong_places_are_fragmentation() -> None:
    """4 and 3 GPUs of two nodes are free: the gang of 7 waits for three attempts and their pauses."""
    records = run(table((0.0, 1e5, 4), (0.0, 1e5, 5), (10.0, 100.0, 7)), 2, 8)
    assert waited(records) == {"fragmentation": (3 * 150 + 3 * 120, 1)}


def test_too_few_gpus_for_a_tenant_at_its_share() -> None:
    """Two jobs on one node, and two more behind them; the last starts as it comes."""
    records = run(table((0.0, 100.0, 4), (0.0, 100.0, 4), (40.0, 10.0, 8), (60.0, 10.0, 2), (200.0, 1.0, 8)), 1, 8)
    assert waited(records) == {"fair_share": (60 + 50, 2)}


def test_a_tenant_below_its_share_on_a_cluster_that_others_keep_full() -> None:
    jobs = table((0.0, 100.0, 8), (40.0, 10.0, 4))
    told = {"tenant": ["a", "b"], "preemptible": [False, True]}
    assert waited(run(jobs.model_copy(update=told), 1, 8)) == {"full_cluster": (60, 1)}


@pytest.mark.parametrize("seed", range(3))
def test_every_second_has_one_cause(seed: int) -> None:
    records = run(random_jobs(seed, 80, tenants=1), 3, 8)
    seconds = sum(wait_s for wait_s, _ in waited(records).values())
    assert job_times(records.jobs).wait_s.sum() > 1000.0
    assert seconds == pytest.approx(job_times(records.jobs).wait_s.sum(), abs=len(NAMES))


def test_gangs_wait_for_locality_at_first_and_for_their_share_near_saturation() -> None:
    parts = []
    for load in (0.3, 0.95):
        drawn = racks(np.random.default_rng(0), load=load)
        found = waited(run_records(drawn.model_copy(update={"training": Choice(system="philly")})))
        parts.append(found["fragmentation"][0] / sum(wait_s for wait_s, _ in found.values()))
    assert parts[0] > 0.5 > 0.1 > parts[1]
