"""Scenario and seed to arrays."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.scenario import Sampling
from simulation.world.build import build_world
from tests.simulation.building import pool, random_jobs, table, training


def test_jobs_are_ordered_by_submission_then_row() -> None:
    jobs = build_world(training(table((5, 1, 1), (0, 2, 1), (5, 3, 1), (0, 4, 1))), 0).jobs
    assert jobs.id == ("1", "3", "0", "2")


def test_a_replay_is_the_same_for_every_seed() -> None:
    s = training(random_jobs(1))
    assert build_world(s, 1).jobs.submit_s.tolist() == build_world(s, 2).jobs.submit_s.tolist()


@pytest.mark.parametrize(("factor", "low", "high"), [(0.5, 400, 600), (2.0, 2000, 2000), (2.5, 2400, 2600)])
def test_demand_factor(factor: float, low: int, high: int) -> None:
    s = training(random_jobs(1, 1000), sampling=Sampling(demand_factor=factor))
    jobs = build_world(s, 0).jobs
    assert low <= len(jobs) <= high
    assert len(set(jobs.id)) == len(jobs)
    assert (np.diff(jobs.submit_s) >= 0).all()
    assert build_world(s, 1).jobs.id != jobs.id or factor == 2.0


def test_resampling_keeps_times_and_draws_bodies_of_the_same_day() -> None:
    jobs = table(*((100.0 * i, float(i), 1) for i in range(2000)))
    world = build_world(training(jobs, sampling=Sampling(mode="resampled")), 0).jobs
    assert world.submit_s.tolist() == jobs.submit_s
    day = np.floor(world.submit_s / 86_400)
    assert (np.floor(100.0 * world.duration_s / 86_400) == day).all()
    assert len(set(world.duration_s.tolist())) < 2000


@pytest.mark.parametrize("sampling", [Sampling(mode="resampled"), Sampling(demand_factor=2.5)])
def test_deadlines_move_with_their_jobs_and_all_else_stays_with_the_body(sampling: Sampling) -> None:
    """The duration tells which recorded job a body is of; every other column must be of the same one."""
    n = 400
    recorded = [(100.0 * i, float(i + 1), 1 + i % 7) for i in range(n)]
    columns = {
        "deadline_s": [None if i % 5 == 0 else 100.0 * i + 10.0 * i for i in range(n)],
        "estimate_s": [2.0 * i for i in range(n)],
        "tenant": [f"t{i % 3}" for i in range(n)],
        "preemptible": [i % 2 == 0 for i in range(n)],
        "gpus_max": [8 + i % 7 for i in range(n)],
    }
    jobs = build_world(training(table(*recorded, **columns), sampling=sampling), 3).jobs
    body = jobs.duration_s.astype(np.int64) - 1
    assert (jobs.submit_s != 100.0 * body).any()
    slack_s = np.where(body % 5 == 0, np.nan, 10.0 * body)
    assert jobs.deadline_s - jobs.submit_s == pytest.approx(slack_s, nan_ok=True)
    assert (jobs.estimate_s == 2.0 * body).all()
    assert (jobs.gang == 1 + body % 7).all()
    assert (jobs.gang_max == 8 + body % 7).all()
    assert (jobs.preemptible == (body % 2 == 0)).all()
    assert [jobs.tenants[t] for t in jobs.tenant] == [f"t{b % 3}" for b in body]


def test_what_can_never_fit_is_rejected_and_kept() -> None:
    jobs = table((0, 1, 9), (0, 1, 8), (0, 1, 1), gpu_models=[[], [], ["no such model"]])
    assert build_world(training(jobs), 0).jobs.rejected.tolist() == [True, False, True]


def test_isolated_time_is_that_of_the_fastest_permitted_gpus_that_hold_the_gang() -> None:
    pools = [pool(1, 8), pool(1, 4, name="b", gpu_model="A100", speed=2.0)]
    jobs = table((0, 100, 1), (0, 100, 8), (0, 100, 1), gpu_models=[[], [], ["V100"]])
    assert build_world(training(jobs, pools=pools), 0).jobs.isolated_s.tolist() == [50.0, 100.0, 100.0]


def test_jobs_beyond_the_horizon_are_left_out_and_counted() -> None:
    jobs = build_world(training(table((0, 1, 1), (10, 1, 1), (11, 1, 1)), horizon_s=10.0), 0).jobs
    assert (len(jobs), jobs.after_horizon) == (1, 2)


def test_an_impossible_gang_range_is_named() -> None:
    jobs = table((0, 1, 4), gpus_min=[5], gpus_max=[8])
    with pytest.raises(ValueError, match="job 0: gang range 5 to 8"):
        build_world(training(jobs), 0)


def test_a_flexible_gang_wider_than_the_cluster_asks_for_all_of_it() -> None:
    jobs = build_world(training(table((0, 10, 16), gpus_min=[2], gpus_max=[16])), 0).jobs
    assert (jobs.gang[0], jobs.duration_s[0], jobs.rejected[0]) == (8, 20.0, False)


def test_pools_of_equal_gpus_are_one_domain() -> None:
    nodes = build_world(training(table(), pools=[pool(1), pool(2, name="b"), pool(1, name="c", speed=2.0)]), 0).nodes
    assert nodes.domain.tolist() == [0, 0, 0, 1]
    assert nodes.domain_gpus().tolist() == [24, 8]
