"""Each measure of fairness against a hand count."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.metrics.fairness import entitlements, finish_time_fairness
from simulation.metrics.jobs import job_times
from simulation.metrics.summary import summarise
from simulation.records import JobOutcome
from tests.simulation.metrics.runs import Job, run, scenario, service


def rho(records, gpus=8):
    return finish_time_fairness(records.jobs, job_times(records.jobs), gpus, records.end_s)


def test_a_job_alone_that_starts_at_once_is_exactly_fair():
    assert list(rho(run([Job(3, [(3, 10, 0, 8)], gpus=8)]))) == [1.0]


def test_two_jobs_one_after_the_other_on_the_whole_cluster():
    records = run([Job(0, [(0, 10, 0, 8)], gpus=8), Job(0, [(10, 20, 0, 8)], gpus=8)])
    # first: K = 2, so 20 s on half the cluster against 10 s; second: K = 1.5, 15 s against 20 s
    assert list(rho(records)) == pytest.approx([10 / 20, 20 / 15])


def test_a_small_gang_is_not_held_back_by_its_equal_share():
    records = run([Job(0, [(0, 10, 0, 1)], gpus=1), Job(0, [(0, 10, 0, 1)], gpus=1)])
    assert list(rho(records)) == [1.0, 1.0]  # N/K = 4 GPUs, gang 1


def test_rejected_jobs_share_nothing_and_unfinished_ones_have_no_rho_yet():
    records = run(
        [
            Job(0, [(0, 10, 0, 8)], gpus=8),
            Job(0, gpus=99, outcome=JobOutcome.REJECTED),
            Job(5, outcome=JobOutcome.WAITING),
        ],
        end_s=10.0,
    )
    values = rho(records)
    assert values[0] == pytest.approx(10 / 15)  # K = 1.5 with the waiting one
    assert np.isnan(values[1:]).all()


def test_entitlements_are_quotas_and_equal_parts_of_the_rest():
    assert list(entitlements(("a", "b"), {})) == [0.5, 0.5]
    assert list(entitlements(("a", "b", "c"), {"a": 0.5})) == [0.5, 0.25, 0.25]
    assert list(entitlements(("a", "b"), {"a": 3, "b": 1})) == [0.75, 0.25]
    assert list(entitlements(("a", "b"), {"a": 1.0})) == [1.0, 0.0]
    assert list(entitlements(("a",), {"b": 0.5})) == [1.0]


TWO = [Job(0, [(0, 30, 0, 1)], tenant="a"), Job(0, [(0, 10, 0, 1)], tenant="b", isolated=5.0)]


def test_jain_share_gap_and_worst_tenant():
    even = summarise(run(TWO), scenario())["metrics"]
    assert even["jain_gpu_time"]["value"] == pytest.approx(40**2 / (2 * (30**2 + 10**2)))
    assert even["share_gap_max"]["value"] == pytest.approx(0.25)
    assert even["worst_tenant_slowdown"]["value"] == 2.0
    entitled = summarise(run(TWO), scenario(quotas={"a": 0.75, "b": 0.25}))["metrics"]
    assert entitled["jain_gpu_time"]["value"] == pytest.approx(1.0)
    assert entitled["share_gap_max"]["value"] == pytest.approx(0.0)


def test_a_tenant_entitled_to_nothing_is_left_out_of_jain_and_said():
    metric = summarise(run(TWO), scenario(quotas={"a": 1.0}))["metrics"]["jain_gpu_time"]
    assert (metric["value"], metric["n"], metric["note"]) == (1.0, 1, "1 tenants entitled to nothing left out")


def test_fairness_without_jobs_is_unknown():
    metrics = summarise(run(end_s=10.0), scenario())["metrics"]
    for name in ("rho_max", "rho_mean", "rho_share_above_1", "jain_gpu_time", "share_gap_max", "worst_tenant_slowdown"):
        assert metrics[name]["value"] is None
        assert metrics[name]["note"]


def test_relabelling_tenants_changes_no_measure():
    swapped = [Job(0, [(0, 30, 0, 1)], tenant="z"), Job(0, [(0, 10, 0, 1)], tenant="b", isolated=5.0)]
    one, two = (summarise(run(jobs), scenario())["metrics"] for jobs in (TWO, swapped))
    assert one == two


def test_the_tenant_table_adds_up():
    records = run(
        [*TWO, Job(0, [(0, 10, 0, 2)], tenant="a", deadline=5.0)],
        services=[service(tenant="serving")],
        replicas=[(0, 0, 0, 2, 0.0, 3600.0)],
    )
    rows = {row["tenant"]: row for row in summarise(records, scenario())["tenants"]}
    assert list(rows) == ["a", "b", "serving"]
    assert rows["a"]["gpu_h"] == pytest.approx(50 / 3600)
    assert (rows["a"]["submitted"], rows["a"]["finished"]) == (2, 2)
    assert (rows["a"]["deadlines"], rows["a"]["deadlines_missed"]) == (1, 1)
    assert rows["a"]["share"] + rows["b"]["share"] == pytest.approx(1.0)
    assert rows["a"]["entitled"] == rows["b"]["entitled"] == 0.5
    assert (rows["serving"]["share"], rows["serving"]["gpu_h"], rows["serving"]["submitted"]) == (None, 2.0, 0)
    assert rows["a"]["cost_usd"] is None
