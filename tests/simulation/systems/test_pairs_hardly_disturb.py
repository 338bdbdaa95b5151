"""Lucid: a short look first, then pairs within their budget; short jobs have their answer at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.colocated import GIB, GPU_MEMORY_BYTES, profiled
from simulation.hardware import NodeChange
from simulation.metrics.jobs import job_times
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, JobTable, Pool, Workload
from tests.simulation.building import pool, table, training

PROFILER_NODES, STAY_S = 2, 200.0
WITHOUT_FORECAST = {"sharing.pack_off_below": 0.0}


def run(jobs: JobTable, nodes: int, utilisation: float = 0.4, gib: float = 8.0, **parameters: Any) -> RunRecords:
    """Equal jobs, whose like speeds are known from one look."""
    profile = RateProfile(
        name="p", iteration=Iteration(compute_s=1.0), utilisation=utilisation, memory_bytes=gib * GIB
    )  # fmt: skip
    workload = Workload(jobs=jobs.model_copy(update={"profile": ["p"] * len(jobs)}), profiles=[profile])
    pools = [pool(nodes, 8, gpu_memory_bytes=GPU_MEMORY_BYTES)]
    changes = WITHOUT_FORECAST | {f"sharing.{key}": value for key, value in parameters.items()}
    return run_records(training(jobs, "lucid", pools, changes).model_copy(update={"workload": workload}))


def test_a_job_that_ends_in_the_profiler_is_done_and_another_begins_anew_outside() -> None:
    records = run(table((0.0, 150.0, 1), (0.0, 500.0, 1)), 3)
    assert records.jobs.end_s == pytest.approx([150.0, STAY_S + 500.0])
    assert records.jobs.lost_gpu_s.tolist() == [0.0, STAY_S]
    spans = records.job_spans
    assert spans.node[spans.owner == 1].tolist() == [1, 0]  # the last two of three nodes are set aside


def test_short_jobs_are_not_held_up_by_a_full_cluster() -> None:
    jobs = table((0.0, 1e5, 8), (0.0, 1e5, 8), (0.0, 1e5, 8), *[(float(1000 + i), 100.0, 1) for i in range(16)])
    records = run(jobs, 3, utilisation=1.0)
    assert job_times(records.jobs).wait_s[3:].max() == 0.0


@pytest.mark.parametrize(
    ("pools", "gpus"),
    [
        ([pool(2, 4), pool(1, 4, name="b", gpu_model="A100")], 6),  # set aside: 4 GPUs of each kind
        ([pool(4, 2)], 6),  # the profiler has 4 GPUs and takes gangs of 8
        ([pool(2, 2)], 4),
    ],
)
def test_a_gang_that_the_profiler_could_not_hold_goes_without_it(pools: list[Pool], gpus: int) -> None:
    """It starts as soon as the job before it has left the profiler, at the latest, and runs through."""
    jobs = run_records(training(table((0.0, 500.0, 1), (5.0, 100.0, gpus)), "lucid", pools)).jobs
    assert jobs.first_start_s[1] <= STAY_S
    assert jobs.end_s[1] == jobs.first_start_s[1] + 100.0
    assert jobs.preemptions[1] == 0


def test_while_the_profiler_is_away_jobs_go_without_it() -> None:
    scenario = training(table((10.0, 500.0, 1)), "lucid", [pool(1, 8), pool(1, 8, name="b")])
    gone = [NodeChange(at_s=1.0, pool="b", nodes=1, up=False)]
    changed = scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"changes": gone})})
    assert run_records(changed).jobs.end_s.tolist() == [510.0]
    assert run_records(scenario).jobs.end_s.tolist() == [10.0 + STAY_S + 500.0]


def two_long_jobs(**changes: Any) -> list[float]:
    """One node beside the profiler, and two gangs of 8: they share it, or the second waits."""
    parameters = {"utilisation": 0.4, "gib": 8.0} | changes
    return run(table((0.0, 3000.0, 8), (100.0, 3000.0, 8)), 3, **parameters).jobs.end_s.tolist()


def test_two_that_fit_together_share() -> None:
    assert two_long_jobs() == pytest.approx([STAY_S + 3000.0, 300.0 + 3000.0])


@pytest.mark.parametrize(
    "change",
    [
        {"gib": 12.0},
        {"utilisation": 0.95},
        {"widest": 4},
        {"score_budget": 1, "utilisation": 0.5},
        {"partner_ratio": 0.5},
    ],
)
def test_one_broken_condition_keeps_them_apart(change: dict[str, float]) -> None:
    assert two_long_jobs(**change)[1] == pytest.approx(STAY_S + 3000.0 + 3000.0)


def test_pairs_are_slower_by_the_law_of_their_utilisations() -> None:
    """0.6 + 0.6: a fifth above one GPU costs each of them 0.4 x 0.2 of its speed, while both run."""
    together_s = 3000.0 / 0.92
    assert two_long_jobs(utilisation=0.6)[0] == pytest.approx(STAY_S + 100.0 + 2900.0 / 0.92)
    assert two_long_jobs(utilisation=0.6)[1] < 300.0 + together_s


def test_while_few_jobs_are_expected_nobody_shares() -> None:
    assert two_long_jobs(pack_off_below=1000.0)[1] == pytest.approx(STAY_S + 3000.0 + 3000.0)


@pytest.mark.parametrize("seed", range(2))
def test_under_load_pairs_shorten_the_queue_and_cost_little_speed(seed: int) -> None:
    drawn = profiled(np.random.default_rng(seed), load=1.3, jobs=250)
    runs = {
        sharing: run_records(
            drawn.model_copy(update={"training": Choice(system="lucid", parameters={"sharing": sharing})})
        )
        for sharing in ("pair-packing", "none")
    }
    packed, alone = runs["pair-packing"], runs["none"]
    assert packed.decisions.get("plans_refused", 0) == 0
    assert packed.job_spans.share is not None
    assert packed.job_spans.share.min() == 0.5  # never more than two
    assert job_times(packed.jobs).wait_s.mean() < 0.5 * job_times(alone.jobs).wait_s.mean()
    assert (packed.jobs.held_s - STAY_S).mean() < 1.1 * alone.jobs.held_s.mean()
    assert packed.jobs.preemptions.max() <= 1  # out of the profiler, and never again
