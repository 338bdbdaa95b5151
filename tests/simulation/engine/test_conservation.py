"""The books add up in every run, and the check that says so can fail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.engine.books import balance
from simulation.engine.errors import ConservationError
from simulation.records import JobOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import Overheads, Scenario
from simulation.world.build import build_world
from tests.simulation.building import TRAINING, pool, random_jobs, training


def scenario(seed: int, system: str, horizon_s: float | None = None) -> Scenario:
    return training(
        random_jobs(seed),
        system,
        [pool(3, 8), pool(2, 4, name="b", speed=2.0, gpu_model="A100")],
        overheads=Overheads(start_s=5, checkpoint_s=3, restart_s=7, resize_s=2),
        horizon_s=horizon_s,
    )


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), system=st.sampled_from(TRAINING), horizon_s=st.sampled_from([None, 500.0, 2000.0]))
def test_every_run_balances(seed: int, system: str, horizon_s: float | None) -> None:
    records = run_records(scenario(seed, system, horizon_s))  # raises where the books do not add up
    jobs = records.jobs
    done = jobs.outcome == JobOutcome.FINISHED
    if horizon_s is None:
        assert done.all()
    assert (jobs.first_start_s[done] >= jobs.submit_s[done]).all()
    assert (jobs.end_s[done] >= jobs.first_start_s[done]).all()
    assert np.isnan(jobs.end_s[~done]).all()


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), system=st.sampled_from(TRAINING))
def test_a_finished_job_has_done_its_work(seed: int, system: str) -> None:
    """Useful GPU-seconds x speed of the GPUs = duration x gang, however often it was stopped."""
    overheads = Overheads(start_s=5, restart_s=9)
    records = run_records(training(random_jobs(seed), system, [pool(3, 8)], overheads=overheads))
    jobs = records.jobs
    assert jobs.useful_gpu_s == pytest.approx(jobs.isolated_s * jobs.gpus, rel=1e-9)
    if system == "srtf":
        assert (jobs.overhead_gpu_s[jobs.preemptions > 0] > 0).all()


def run() -> tuple[RunRecords, Scenario]:
    s = training(random_jobs(1), "srtf", [pool(3, 8)])
    return run_records(s), s


def test_a_node_over_capacity_is_named() -> None:
    records, s = run()
    spans = records.job_spans
    wrong = replace(records, job_spans=replace(spans, gpus=np.where(spans.node == 1, spans.gpus + 8, spans.gpus)))
    with pytest.raises(ConservationError, match="node a-1 has 8 GPUs"):
        balance(wrong, build_world(s, 0).nodes, len(records.jobs))


def test_a_job_with_missing_gpu_time_is_named() -> None:
    records, s = run()
    useful = records.jobs.useful_gpu_s.copy()
    useful[7] -= 1.0
    wrong = replace(records, jobs=replace(records.jobs, useful_gpu_s=useful))
    with pytest.raises(ConservationError, match="job j7"):
        balance(wrong, build_world(s, 0).nodes, len(records.jobs))


def test_a_lost_job_is_noticed() -> None:
    records, s = run()
    with pytest.raises(ConservationError, match="61 jobs were submitted, 60"):
        balance(records, build_world(s, 0).nodes, 61)
