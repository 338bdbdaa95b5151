"""Nodes fail, are reclaimed, join and leave: jobs on them wait again, and what they had not saved is lost."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.errors import ThrashingError
from simulation.hardware import Interruptions, NodeChange
from simulation.records import Absence, JobOutcome
from simulation.run import run_records
from simulation.scenario import Cluster, Overheads, Scenario, Workload
from tests.simulation.building import pool, random_jobs, table


def scenario(pools, jobs, changes=(), **rest) -> Scenario:
    return Scenario(cluster=Cluster(pools=pools, changes=list(changes)), workload=Workload(jobs=jobs), **rest)


def down(at_s: float, nodes: int = 1) -> NodeChange:
    return NodeChange(at_s=at_s, pool="a", nodes=nodes, up=False)


def up(at_s: float, nodes: int = 1) -> NodeChange:
    return NodeChange(at_s=at_s, pool="a", nodes=nodes, up=True)


def test_a_failure_loses_everything_that_was_never_saved():
    records = run_records(scenario([pool(1, 8)], table((0, 100, 8)), [down(60), up(80)]))
    assert records.jobs.end_s.tolist() == [180.0]
    assert records.jobs.lost_gpu_s.tolist() == [60 * 8.0]
    assert records.jobs.useful_gpu_s.tolist() == [100 * 8.0]
    assert records.absences is not None
    assert (records.absences.start_s.tolist(), records.absences.end_s.tolist()) == ([60.0], [80.0])
    assert records.absences.why.tolist() == [Absence.DOWN]


def test_checkpoints_while_running_bound_the_loss():
    overheads = Overheads(checkpoint_interval_s=25.0)
    records = run_records(scenario([pool(1, 8)], table((0, 100, 8)), [down(60), up(80)], overheads=overheads))
    assert records.jobs.lost_gpu_s.tolist() == [pytest.approx(10 * 8.0)]  # 50 s were saved
    assert records.jobs.end_s.tolist() == [pytest.approx(80 + 50)]


def test_checkpoints_take_their_share_of_the_time():
    overheads = Overheads(checkpoint_interval_s=90.0, checkpoint_s=10.0)
    records = run_records(scenario([pool(1, 8)], table((0, 90, 8)), overheads=overheads))
    assert records.jobs.end_s.tolist() == [pytest.approx(100.0)]
    assert records.jobs.overhead_gpu_s.tolist() == [pytest.approx(10 * 8.0)]


def test_nobody_starts_on_a_node_that_is_not_there():
    records = run_records(scenario([pool(2, 8)], table((0, 50, 8), (0, 50, 8)), [down(0, 2), up(30), up(70)]))
    assert records.jobs.first_start_s.tolist() == [30.0, 70.0]


def test_nodes_that_are_bought_later_start_down():
    records = run_records(scenario([pool(1, 8, starts_down=True)], table((0, 50, 8)), [up(40)]))
    assert records.jobs.first_start_s.tolist() == [40.0]


def test_interruptions_are_the_same_whatever_the_policy_and_the_horizon():
    pools = [pool(4, 8, interruptions=Interruptions(mean_up_s=2000, mean_down_s=300))]
    runs = [
        run_records(scenario(pools, random_jobs(3), training={"system": name}, horizon_s=horizon))
        for name, horizon in (("fcfs-quota", 3000), ("tiresias", 3000), ("tiresias", 6000))
    ]
    starts = [r.absences.start_s[r.absences.start_s < 3000].tolist() for r in runs]
    assert len(starts[0]) > 2
    assert starts[0] == starts[1] == starts[2]


@pytest.mark.parametrize("system", ["fcfs-quota", "srtf", "tiresias", "fair-share", "fcfs-backfill"])
def test_every_system_survives_failures_and_the_books_balance(system: str):
    pools = [pool(4, 8, interruptions=Interruptions(mean_up_s=3000, mean_down_s=300))]
    overheads = Overheads(checkpoint_interval_s=300.0, checkpoint_s=5.0, restart_s=20.0)
    records = run_records(scenario(pools, random_jobs(5), training={"system": system}, overheads=overheads))
    assert (records.jobs.outcome == JobOutcome.FINISHED).all()
    assert records.jobs.lost_gpu_s.sum() > 0
    assert records.decisions["jobs_interrupted"] > 0


def test_a_job_that_can_never_save_is_named():
    pools = [pool(1, 8, interruptions=Interruptions(mean_up_s=10, mean_down_s=1))]
    with pytest.raises(ThrashingError, match="job 0 has lost its progress"):
        run_records(scenario(pools, table((0, 10_000, 8))))


def test_notice_saves_the_work():
    pools = [
        pool(2, 8, interruptions=Interruptions(mean_up_s=500, mean_down_s=100, notice_s=60))
    ]  # never a save but in time
    records = run_records(scenario(pools, random_jobs(5, widest=8)))
    assert records.decisions["jobs_interrupted"] > 0
    assert records.jobs.lost_gpu_s.sum() == 0


def test_compiled_decisions_are_those_of_the_general_path_under_failures():
    pools = [pool(4, 8, interruptions=Interruptions(mean_up_s=3000, mean_down_s=300))]
    for system in ("fcfs-quota", "sjf", "srtf", "tiresias"):
        overheads = Overheads(checkpoint_interval_s=300.0, checkpoint_s=5.0)
        one = scenario(pools, random_jobs(7), training={"system": system}, overheads=overheads)
        fused, general = run_records(one), run_records(one, allow_compiled=False)
        assert fused.jobs.end_s.tobytes() == general.jobs.end_s.tobytes()
        assert fused.jobs.lost_gpu_s.tobytes() == general.jobs.lost_gpu_s.tobytes()


def test_the_fate_of_a_job_is_its_outcome():
    jobs = table((0, 10, 1), (0, 20, 1), (0, 30, 1), fate=["completed", "failed", "killed"])
    records = run_records(scenario([pool()], jobs))
    assert records.jobs.outcome.tolist() == [JobOutcome.FINISHED, JobOutcome.FAILED, JobOutcome.KILLED]
    assert np.isfinite(records.jobs.end_s).all()


def test_who_was_cut_off_only_restarts_and_who_was_told_has_saved_before():
    overheads = Overheads(start_s=3.0, checkpoint_s=7.0, restart_s=20.0)
    cut_off = run_records(scenario([pool(1, 8)], table((0, 100, 8)), [down(60), up(80)], overheads=overheads))
    assert cut_off.jobs.end_s.tolist() == [80 + 20 + 100]
    assert cut_off.jobs.overhead_gpu_s.tolist() == [(3 + 20) * 8]
    warned = [pool(1, 8, interruptions=Interruptions(mean_up_s=5000, mean_down_s=20, notice_s=60))]
    told = run_records(scenario(warned, table((0, 30_000, 8)), overheads=overheads))
    times = told.decisions["jobs_interrupted"]
    assert times > 3
    assert told.jobs.overhead_gpu_s.tolist() == [pytest.approx((3 + (7 + 20) * times) * 8)]


def test_who_is_cut_off_and_then_preempted_saves_again():
    overheads = Overheads(checkpoint_s=7.0, restart_s=20.0)
    jobs = table((0, 100, 8), (130, 10, 8))
    records = run_records(
        scenario([pool(1, 8)], jobs, [down(60), up(80)], overheads=overheads, training={"system": "srtf"})
    )
    # works from 100 to 130, gives way for 10 s, and then pays for checkpoint and restart
    assert records.jobs.end_s.tolist() == [140 + 27 + 70, 140]
