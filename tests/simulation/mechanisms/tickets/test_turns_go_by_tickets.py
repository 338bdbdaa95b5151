"""In whole runs users have GPU-time by their tickets, whatever the number, the width and the length of their jobs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.traders import unlike_gains
from simulation.hardware import Interruptions
from simulation.records import JobRecords, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, JobTable, Overheads, Pool
from tests.simulation.building import pool, random_jobs, table, training

HOUR_S = 3600.0
LONG_S = 1e6


def crowd(**jobs: tuple[int, int]) -> JobTable:
    """Tenant -> (jobs, GPUs of each), all there at the start and without end."""
    rows = [(0.0, LONG_S, gpus) for count, gpus in jobs.values() for _ in range(count)]
    return table(*rows, tenant=[tenant for tenant, (count, _) in jobs.items() for _ in range(count)])


def held(jobs: JobTable, hours: float, pools: list[Pool], **changes: Any) -> JobRecords:
    return run_records(training(jobs, "gandiva-fair", pools, horizon_s=hours * HOUR_S, **changes)).jobs


def gpus_of(jobs: JobRecords, hours: float) -> dict[str, float]:
    """Mean GPUs of each tenant."""
    gpu_s = np.bincount(jobs.tenant, jobs.gpu_s_by_pool.sum(axis=1))
    return dict(zip(jobs.tenants, (gpu_s / (hours * HOUR_S)).tolist(), strict=True))


def test_the_number_of_jobs_does_not_count() -> None:
    jobs = held(crowd(one=(1, 2), ten=(10, 1), hundred=(100, 1)), 1, [pool(1, 6)])
    assert gpus_of(jobs, 1) == pytest.approx({"one": 2, "ten": 2, "hundred": 2}, abs=0.1)


def test_the_width_of_jobs_does_not_count() -> None:
    jobs = held(crowd(wide=(1, 6), narrow=(30, 1)), 2, [pool(1, 6)])
    assert gpus_of(jobs, 2) == pytest.approx({"wide": 3, "narrow": 3}, abs=0.1)
    jobs = held(crowd(wide=(2, 6), five=(2, 5)), 6, [pool(1, 8)])
    assert gpus_of(jobs, 6)["wide"] == pytest.approx(gpus_of(jobs, 6)["five"], rel=0.05)


def test_the_length_of_jobs_does_not_count() -> None:
    """Jobs of half a turn, one after the other, get their user no more than its share."""
    short = [(15.0 * i, 30.0, 1) for i in range(240)]
    long = [(0.0, LONG_S, 1)] * 8
    jobs = table(*short, *long, tenant=["short"] * 240 + ["long"] * 8)
    assert gpus_of(held(jobs, 1, [pool(1, 2)]), 1) == pytest.approx({"short": 1, "long": 1}, abs=0.1)


def test_what_a_user_cannot_use_others_do() -> None:
    jobs = held(crowd(a=(20, 1), b=(20, 1), c=(1, 2)), 2, [pool(1, 8)])
    assert gpus_of(jobs, 2) == pytest.approx({"a": 3, "b": 3, "c": 2}, abs=0.1)


def test_quotas_are_tickets_and_jobs_of_a_user_have_equal_time() -> None:
    jobs = held(crowd(a=(6, 1), b=(6, 2)), 6, [pool(1, 8)], quotas={"a": 0.25, "b": 0.75})
    assert gpus_of(jobs, 6) == pytest.approx({"a": 2, "b": 6}, abs=0.2)
    of_a = jobs.gpu_s_by_pool[jobs.tenant == jobs.tenants.index("a"), 0]
    assert np.ptp(of_a) <= 2 * 60.0


def test_a_gang_as_large_as_the_cluster_is_not_starved() -> None:
    """Nor by jobs of its own user: 6 GPUs over 17 jobs are a turn of 8 GPUs every 8 x 17 / 6 = 22.7 turns."""
    rows = table((0, LONG_S, 8), *[(0.0, LONG_S, 1)] * 16, (0, LONG_S, 2), tenant=["a"] * 17 + ["b"])
    records = run_records(training(rows, "gandiva-fair", [pool(1, 8)], horizon_s=6 * HOUR_S))
    spans = records.job_spans
    starts_s, ends_s = (np.sort(column[spans.owner == 0]) for column in (spans.start_s, spans.end_s))
    gaps_s = starts_s[1:] - ends_s[:-1]
    assert len(gaps_s) > 10
    assert gaps_s.max() <= 24 * 60.0


def test_jobs_for_which_there_is_room_are_never_disturbed() -> None:
    records = run_records(training(table(*[(10.0 * i, 5000, 2) for i in range(4)]), "gandiva-fair")).jobs
    assert not records.preemptions.any()
    assert (records.first_start_s == records.submit_s).all()


@pytest.mark.parametrize("trade", [False, True])
def test_trades_make_users_as_fast_as_the_shares_say(trade: bool) -> None:
    """Work done in slow GPUs: 4.4, 6.0 and 12.0 with equal parts, 5.2, 6.8 and 15.0 after the trades."""
    drawn = unlike_gains(np.random.default_rng(0), jobs=10)
    gains = {"low": 1.2, "middle": 2.0, "high": 5.0}
    profiles = [
        p.model_copy(update={"points": [q if q.gpu_model == "slow" else q.model_copy(update={"rate": gains[p.name]})
                                        for q in p.points]})
        for p in drawn.workload.profiles
    ]  # fmt: skip
    jobs = drawn.workload.jobs
    assert jobs is not None
    endless = jobs.model_copy(update={"duration_s": [LONG_S] * 30})
    workload = drawn.workload.model_copy(update={"profiles": profiles, "jobs": endless})
    choice = Choice(system="gandiva-fair", parameters={"tenancy.trade": trade})
    records = run_records(
        drawn.model_copy(update={"workload": workload, "training": choice, "horizon_s": 4 * HOUR_S})
    ).jobs
    gain = np.array([gains[tenant] for tenant in records.tenants])[records.tenant]
    work = records.gpu_s_by_pool[:, 0] + gain * records.gpu_s_by_pool[:, 1]
    done = np.bincount(records.tenant, work) / (4 * HOUR_S)
    told = {"low": 5.2, "middle": 6.8, "high": 15.0} if trade else {"low": 4.4, "middle": 6.0, "high": 12.0}
    assert dict(zip(records.tenants, done.tolist(), strict=True)) == pytest.approx(told, rel=0.03)


def turns(seed: int, **changes: Any) -> RunRecords:
    pools = [pool(2, 8, **changes), pool(2, 4, name="b", gpu_model="A100", speed=2.0)]
    overheads = Overheads(start_s=5.0, restart_s=5.0, checkpoint_interval_s=300.0)
    return run_records(training(random_jobs(seed, 40, widest=8), "gandiva-fair", pools, overheads=overheads))


@pytest.mark.parametrize("seed", range(3))
def test_every_job_ends_also_with_nodes_that_come_and_go(seed: int) -> None:
    steady, lively = turns(seed), turns(seed, interruptions=Interruptions(mean_up_s=4000.0, mean_down_s=600.0))
    for records in (steady, lively):
        assert np.isfinite(records.jobs.end_s).all()
        assert records.decisions.get("plans_refused", 0) == 0
    assert lively.decisions["node_losses"] > 0


@pytest.mark.parametrize("placement", ["take-any", "consolidate-strictly"])
def test_a_job_that_may_not_be_preempted_stays_and_counts(placement: str) -> None:
    jobs = table((0, 3 * HOUR_S, 4), *[(0, LONG_S, 3)] * 6, preemptible=[False] + [True] * 6, tenant=["a", *["b"] * 6])
    found = held(jobs, 3, [pool(2, 4)], parameters={"placement": placement})
    assert (found.preemptions[0], found.end_s[0]) == (0, 3 * HOUR_S)
    assert gpus_of(found, 3)["b"] == pytest.approx(3, abs=0.1)
