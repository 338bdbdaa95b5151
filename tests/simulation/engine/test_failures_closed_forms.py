"""Failures at random have known consequences: how long nodes are there, and how long work takes that starts anew."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulation.hardware import Interruptions
from simulation.records import Absence, RunRecords
from simulation.run import run_records
from simulation.scenario import Cluster, Overheads, Scenario, Workload
from tests.simulation.building import pool, table

MEAN_UP_S = 1000.0


def run(work_s: float, jobs: int, notice_s: float = 0.0, **overheads: float) -> RunRecords:
    """One job after the other on one GPU that fails."""
    failing = Interruptions(mean_up_s=MEAN_UP_S, mean_down_s=100.0, notice_s=notice_s)
    rows = table(*((0.0, work_s, 1) for _ in range(jobs)))
    cluster = Cluster(pools=[pool(1, 1, purchase="spot", interruptions=failing)])
    return run_records(Scenario(cluster=cluster, workload=Workload(jobs=rows), overheads=Overheads(**overheads)))


def test_nodes_are_there_as_often_as_their_means_say() -> None:
    failing = Interruptions(mean_up_s=300.0, mean_down_s=100.0)
    cluster = Cluster(pools=[pool(50, 1, interruptions=failing)])
    records = run_records(Scenario(cluster=cluster, workload=Workload(jobs=table((0, 1, 1))), horizon_s=40_000.0))
    absent = records.absences
    assert absent is not None
    assert set(absent.why.tolist()) == {int(Absence.DOWN)}
    assert (absent.end_s - absent.start_s).sum() / (50 * 40_000.0) == pytest.approx(0.25, rel=0.05)


def test_work_that_is_never_saved_takes_exponentially_long() -> None:
    """Mean time on the GPU until a stretch of `work_s` without a failure: (e^(work/up) - 1) x up."""
    records = run(MEAN_UP_S, 1500)
    assert records.jobs.held_s.mean() == pytest.approx((math.e - 1) * MEAN_UP_S, rel=0.08)
    assert records.jobs.useful_gpu_s == pytest.approx(np.full(1500, MEAN_UP_S))


def test_work_that_is_saved_now_and_then_takes_so_long_for_each_part() -> None:
    every_s = 250.0
    records = run(MEAN_UP_S, 800, checkpoint_interval_s=every_s)
    parts = MEAN_UP_S / every_s
    expected_s = parts * (math.exp(every_s / MEAN_UP_S) - 1) * MEAN_UP_S
    assert records.jobs.held_s.mean() == pytest.approx(expected_s, rel=0.03)


def test_spot_capacity_that_gives_notice_costs_time_but_no_work() -> None:
    records = run(MEAN_UP_S, 300, notice_s=60.0, restart_s=20.0)
    assert records.jobs.lost_gpu_s.sum() == 0.0
    interrupted = records.decisions["jobs_interrupted"]
    assert interrupted > 100
    assert records.jobs.overhead_gpu_s.sum() == pytest.approx(20.0 * interrupted, rel=0.03)
