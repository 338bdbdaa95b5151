"""The effect that each member exists for, on the smallest example that shows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulation.records import JobRecords
from simulation.run import run_records
from simulation.scenario import JobTable, Overheads
from tests.simulation.building import pool, table, training


def jobs_of(jobs: JobTable, system: str, nodes: int = 1, gpus: int = 8, **parameters: Any) -> JobRecords:
    named = {key.replace("__", "."): value for key, value in parameters.items()}
    return run_records(training(jobs, system, [pool(nodes, gpus)], named)).jobs


def test_the_head_blocks_or_is_passed_over() -> None:
    """7 GPUs are free for an hour; an 8-GPU job waits at the head, a small one behind it."""
    jobs = table((0, 3600, 1), (1, 10, 8), (2, 10, 1))
    assert jobs_of(jobs, "fcfs-quota").first_start_s.tolist() == [0, 3600, 3610]
    assert jobs_of(jobs, "fcfs-quota", walk="fit-first").first_start_s.tolist() == [0, 3600, 2]


def test_a_tenants_head_blocks_its_tenant_alone() -> None:
    jobs = table((0, 100, 6), (1, 10, 8), (2, 10, 1), (3, 10, 1), tenant=["a", "a", "a", "b"])
    kept = jobs_of(jobs, "fcfs-quota", tenancy="none")
    assert kept.first_start_s.tolist() == [0, 100, 110, 3]


def test_static_quota_holds_and_borrowing_does_not() -> None:
    """Queue A submits 40 one-hour jobs, B one 8-GPU job later: half of 16 GPUs is B's."""
    jobs = table(*((0, 3600, 1) for _ in range(40)), (60, 100, 8), tenant=["A"] * 40 + ["B"])
    assert jobs_of(jobs, "fcfs-quota", nodes=2).first_start_s[40] == 60.0
    borrowed = jobs_of(jobs, "fcfs-quota", nodes=2, tenancy="borrowing-quota")
    assert borrowed.first_start_s[40] > 60.0
    assert (borrowed.first_start_s[:16] == 0).all()


def test_a_job_above_the_quota_runs_alone() -> None:
    jobs = table((0, 10, 6), (0, 10, 6), (0, 10, 2), tenant=["a", "a", "b"])
    assert jobs_of(jobs, "fcfs-quota").first_start_s.tolist() == [0, 10, 0]


def test_backfill_does_not_delay_the_reservation() -> None:
    """The head may start at 100; a job of 90 s may go before it, one of 200 s may not."""
    jobs = table((0, 100, 6), (1, 50, 8), (2, 90, 2), (3, 200, 2))
    assert jobs_of(jobs, "fcfs-backfill").first_start_s.tolist() == [0, 100, 2, 150]


def test_backfill_beside_the_reservation() -> None:
    """The head needs 6 of 8 GPUs at 100 s; a long job of 2 GPUs fits beside it for ever."""
    jobs = table((0, 100, 6), (1, 50, 6), (3, 2000, 2))
    assert jobs_of(jobs, "fcfs-backfill").first_start_s.tolist() == [0, 100, 3]


def test_backfill_plans_with_estimates_where_there_are_any() -> None:
    """The running job says 1,000 s but takes 100, so a job of 500 s fits in before the planned start."""
    jobs = table((0, 100, 6), (1, 50, 8), (2, 500, 2), estimate_s=[1000.0, None, None])
    assert jobs_of(jobs, "fcfs-backfill").first_start_s.tolist() == [0, 502, 2]


def test_consolidation_waits_and_take_any_does_not() -> None:
    jobs = table((0, 100, 5), (0, 100, 5), (1, 10, 6))
    assert jobs_of(jobs, "sjf", nodes=2).first_start_s.tolist() == [0, 0, 100]
    assert jobs_of(jobs, "sjf", nodes=2, placement="take-any").first_start_s.tolist() == [0, 0, 1]


def test_a_gang_wider_than_a_node_takes_whole_nodes_and_one_for_the_rest() -> None:
    spans = run_records(training(table((0, 100, 20)), pools=[pool(4, 8)])).job_spans
    assert sorted(spans.gpus.tolist()) == [4, 8, 8]


def test_shortest_goes_first_and_remaining_preempts() -> None:
    jobs = table((0, 100, 8), (1, 50, 8), (2, 10, 8))
    assert jobs_of(jobs, "sjf").first_start_s.tolist() == [0, 110, 100]
    assert jobs_of(jobs, "srtf").end_s.tolist() == [160, 61, 12]


def test_attained_service_is_gpu_time() -> None:
    """A 1-GPU and an 8-GPU job leave the first queue after 3,600 and 450 s: then a newcomer takes their GPUs."""
    one = jobs_of(table((0, 10_000, 1), (3599, 10, 1)), "tiresias", gpus=1)
    assert (one.first_start_s[1], one.preemptions[0]) == (3600.0, 1)
    eight = jobs_of(table((0, 10_000, 8), (449, 10, 8)), "tiresias")
    assert (eight.first_start_s[1], eight.preemptions[0]) == (450.0, 1)


def test_below_the_threshold_nothing_is_preempted() -> None:
    jobs = table((0, 400, 8), (1, 10, 8), (2, 10, 8))
    las = jobs_of(jobs, "tiresias")
    assert las.preemptions.sum() == 0
    assert las.end_s.tolist() == [400, 410, 420]


def test_promotion_ends_starvation() -> None:
    """A demoted job waits behind newcomers for ever, unless it is promoted after waiting as long as it ran."""
    newcomers = [(float(100 + 100 * i), 100.0, 1) for i in range(200)]
    jobs = table((0.0, 300.0, 1), *newcomers)
    options = {"ordering__thresholds_gpu_s": [150.0]}
    starved = jobs_of(jobs, "tiresias", gpus=1, **options)
    promoted = jobs_of(jobs, "tiresias", gpus=1, ordering__promote=1.0, **options)
    assert promoted.end_s[0] < starved.end_s[0] / 4


def test_fair_share_deals_by_entitlement() -> None:
    """One tenant floods the cluster; the other's jobs run from the next round on, as many as it is entitled to."""
    flood, late = [(0.0, 50_000.0, 1)] * 16, [(10.0, 50_000.0, 1)] * 8
    jobs = table(*flood, *late, tenant=["a"] * 16 + ["b"] * 8)
    records = run_records(training(jobs, "fair-share", quotas={"a": 0.25, "b": 0.75}))
    begun = records.job_spans.start_s == 600.0
    assert (np.array(records.job_spans.owner[begun]) >= 16).all()
    assert begun.sum() == 6


def test_rounds_preempt_at_their_ends_alone() -> None:
    jobs = table(*((0, 5000, 1) for _ in range(8)), (10, 5000, 1), tenant=["a"] * 8 + ["b"])
    spans = run_records(training(jobs, "fair-share", parameters={"preemption.lease_s": 100.0})).job_spans
    ended = spans.end_s[spans.end_s < 4000]
    assert len(ended)
    assert (ended % 100 == 0).all()


def test_resizing_costs_what_the_scenario_says() -> None:
    jobs = table((0, 1800, 4), (600, 900, 2), gpus_min=[2, 2], gpus_max=[4, 2])
    scenario = training(
        jobs, "fcfs-backfill", [pool(1, 4)], {"sizing": "elastic-gang"}, overheads=Overheads(resize_s=30.0)
    )
    records = run_records(scenario).jobs
    assert records.resizes.tolist() == [2, 0]
    assert records.overhead_gpu_s.tolist() == [30.0 * 2 + 30.0 * 4, 0.0]
    assert records.useful_gpu_s.tolist() == [7200.0, 1800.0]
