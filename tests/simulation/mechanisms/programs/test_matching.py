"""Matching in whole runs: who starts where, in which order, and who waits for better GPUs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.unlike import unlike_gpus
from simulation.metrics.measures import MEAN_JCT
from simulation.rate_profile import RatePoint, RateProfile
from simulation.records import JobRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Scenario, Workload
from tests.simulation.building import pool, random_jobs, table, training

SLOW, FAST = (pool(1, 1, name=name, gpu_model=name, speed=speed) for name, speed in (("slow", 1.0), ("fast", 4.0)))


def matched(jobs: JobTable, **sizing: Any) -> JobRecords:
    changes = {f"sizing.{name}": value for name, value in sizing.items()}
    return run_records(training(jobs, "allox", [pool(1, 1)], changes)).jobs


def unlike(*jobs: tuple[float, float, float], **sizing: Any) -> JobRecords:
    """Jobs (submit_s, run time on the slow GPU, speed-up on the fast one), on one GPU of each."""
    profiles = [
        RateProfile(
            name=str(i),
            reference_model="slow",
            points=[RatePoint(gpu_model=model, gpus=1, rate=rate) for model, rate in (("slow", 1.0), ("fast", gain))],
        )
        for i, (_, _, gain) in enumerate(jobs)
    ]
    rows = table(*((submit_s, run_s, 1) for submit_s, run_s, _ in jobs), profile=[str(i) for i in range(len(jobs))])
    scenario = Scenario(
        cluster=Cluster(pools=[SLOW, FAST]),
        workload=Workload(jobs=rows, profiles=profiles),
        training=Choice(system="allox", parameters={f"sizing.{name}": value for name, value in sizing.items()}),
    )
    return run_records(scenario).jobs


@pytest.mark.parametrize("seed", range(3))
def test_on_one_gpu_all_jobs_in_any_order_are_served_as_shortest_first(seed: int) -> None:
    jobs = random_jobs(seed, 40, widest=1)
    sjf = run_records(training(jobs, "sjf", [pool(1, 1)])).jobs
    assert matched(jobs).end_s.tolist() == sjf.end_s.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_with_only_the_oldest_matched_it_is_first_come_first_served(seed: int) -> None:
    jobs = random_jobs(seed, 40, widest=1)
    first = run_records(training(jobs, "fcfs-quota", [pool(1, 1)], {"tenancy": "none"})).jobs
    assert matched(jobs, eligible=0.0).end_s.tolist() == first.end_s.tolist()


def test_the_fewer_are_matched_the_shorter_is_the_longest_wait_and_the_longer_the_mean() -> None:
    longest, means = (np.zeros((3, 6)) for _ in range(2))
    for seed in range(6):
        jobs = random_jobs(seed, 120, widest=1, gap_s=650.0)
        for i, eligible in enumerate((0.0, 0.5, 1.0)):
            found = matched(jobs, eligible=eligible)
            longest[i, seed] = (found.first_start_s - found.submit_s).max()
            means[i, seed] = (found.end_s - found.submit_s).mean()
    assert (np.diff(longest.mean(axis=1)) > 0).all()
    assert (np.diff(means.mean(axis=1)) < 0).all()


def test_a_job_waits_for_the_gpu_on_which_it_gains_most() -> None:
    """Ten times as fast there, one waits 9 s for it, though the other GPU is idle; else it takes what is free."""
    jobs = ((0, 40, 4.0), (1, 100, 10.0))
    assert unlike(*jobs).first_start_s.tolist() == [0.0, 10.0]
    assert unlike(*jobs, busy=False).first_start_s.tolist() == [0.0, 1.0]


def test_who_gains_least_takes_the_slow_gpu_while_the_others_queue_for_the_fast_one() -> None:
    """A second job on the slow one would end at 200 s, and ends at 112.5 s as the last on the fast one."""
    jobs = unlike((0, 100, 1.2), (0, 100, 8.0), (0, 100, 1.0), (0, 100, 6.0))
    assert (jobs.gpu_s_by_pool[:, 1] > 0).tolist() == [True, True, False, True]
    assert jobs.end_s == pytest.approx([112.5, 12.5, 100.0, 29.17], abs=0.01)


def test_nobody_is_preempted_and_gangs_of_all_widths_run() -> None:
    records = run_records(training(random_jobs(4, 80), "allox", [pool(3, 8), pool(2, 4, name="b", gpu_model="K80")]))
    assert not records.jobs.preemptions.any()
    assert not records.jobs.migrations.any()
    assert np.isfinite(records.jobs.end_s).all()
    assert records.decisions.get("plans_refused", 0) == 0


def test_to_wait_for_gpus_in_use_pays() -> None:
    draws = [unlike_gpus(np.random.default_rng(seed), load=0.8, jobs=60) for seed in range(4)]
    means = {
        busy: np.mean(
            [
                MEAN_JCT.of(run_records(draw.model_copy(update={"training": Choice(system="allox", parameters=p)})))
                for draw in draws
            ]
        )
        for busy, p in ((busy, {"sizing.busy": busy}) for busy in (True, False))
    }
    assert means[True] < 0.9 * means[False]


def test_a_long_queue_is_matched_in_parts() -> None:
    jobs = table(*[(0, 100 + i, 1) for i in range(30)])
    assert matched(jobs, most=4).end_s.max() == matched(jobs).end_s.max()
