"""Latency, its four parts, SLO attainment and goodput; a request never answered is late."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.metrics.requests import latency_parts, service_requests
from simulation.metrics.summary import summarise
from simulation.records import RequestOutcome
from tests.simulation.metrics.runs import NAN, run, scenario, served, service

SERVED, UNFINISHED, DROPPED = RequestOutcome.SERVED, RequestOutcome.UNFINISHED, RequestOutcome.DROPPED


def two_services():
    requests = served(
        [
            (0, 0.0, 0.0, 0.0, 0.0, 0.1),
            (0, 1.0, 0.2, 0.0, 0.0, 0.1),
            (0, 2.0, NAN, NAN, NAN, NAN),
            (0, 9.9, NAN, NAN, NAN, NAN),
            (1, 0.0, 0.0, 0.0, 5.0, 1.0),
            (1, 0.5, NAN, NAN, NAN, NAN),
        ],
        [SERVED, SERVED, UNFINISHED, UNFINISHED, SERVED, DROPPED],
    )
    return run(
        services=[service("fast", slo_s=0.25), service("slow", gpus_per_replica=2)],
        requests=requests,
        replicas=[(0, 0, 0, 1, 0.0, 10.0), (1, 0, 0, 2, 0.0, 5.0)],
        busy=[0.2, 1.0],
        end_s=10.0,
    )


def test_attainment_counts_the_unanswered_and_leaves_out_the_undecided():
    metrics = summarise(two_services(), scenario())["metrics"]
    # of `fast`: one on time, one late, one never answered, one whose 0.25 s had not passed at the end
    assert (metrics["slo_attainment"]["value"], metrics["slo_attainment"]["n"]) == (1 / 3, 3)
    assert metrics["goodput_per_s"]["value"] == pytest.approx(0.1)
    assert metrics["latency_mean_s"]["value"] == pytest.approx((0.1 + 0.3 + 6.0) / 3)
    assert metrics["latency_mean_s"]["note"] == "2 unfinished requests not included: theirs is a lower bound"


def test_the_table_of_services():
    fast, slow = summarise(two_services(), scenario())["services"]
    assert (fast["service"], fast["requests"], fast["served"], fast["late"]) == ("fast", 4, 2, 1)
    assert fast["miss_rate"] == pytest.approx(2 / 3)
    assert (fast["mean_replicas"], slow["mean_replicas"]) == (1.0, 0.5)
    assert (slow["late"], slow["miss_rate"], slow["goodput_per_s"]) == (None, None, None)
    assert slow["p99_s"] == 6.0


def test_every_request_is_counted_once():
    counts = summarise(two_services(), scenario())["counts"]["requests"]
    assert counts == {"submitted": 6, "served": 3, "unfinished": 2, "dropped": 1}


def test_without_services_or_slo_the_reason_is_given():
    metrics = summarise(run(end_s=1.0), scenario())["metrics"]
    assert (metrics["slo_attainment"]["value"], metrics["slo_attainment"]["note"]) == (None, "no services")
    assert metrics["latency_p99_s"]["note"] == "no finished requests"
    records = run(services=[service()], requests=served([(0, 0, 0, 0, 0, 1)]), end_s=1.0)
    assert summarise(records, scenario())["metrics"]["goodput_per_s"]["note"] == "no service has an SLO"


def test_a_percentile_comes_apart_into_parts_that_add_up_to_it():
    rng = np.random.default_rng(2)
    n = 20_000
    rows = np.column_stack([np.zeros(n), np.sort(rng.uniform(0, 1e4, n)), *rng.exponential(0.05, (3, n)), np.ones(n)])
    records = run(services=[service(slo_s=2.0)], requests=served([tuple(row) for row in rows]), end_s=1e4)
    (mine,) = service_requests(records)
    parts = latency_parts(records.requests, mine)
    assert [row["percentile"] for row in parts] == [50.0, 95.0, 99.0, 99.9]
    for row in parts:
        total = row["queue_s"] + row["batch_wait_s"] + row["load_s"] + row["execute_s"]
        assert total == pytest.approx(row["total_s"], rel=1e-12)
        assert row["total_s"] == pytest.approx(np.quantile(records.requests.latency_s, row["percentile"] / 100))
        assert row["execute_s"] == pytest.approx(1.0, rel=0.02)
    assert [row["n"] for row in parts] == [102, 102, 102, 12]


def test_parts_of_a_single_request_are_its_own():
    records = run(services=[service()], requests=served([(0, 0, 0.1, 0.2, 0.3, 0.4)]), end_s=1.0)
    (mine,) = service_requests(records)
    assert latency_parts(records.requests, mine)[0] == pytest.approx(
        {"percentile": 50, "queue_s": 0.1, "batch_wait_s": 0.2, "load_s": 0.3, "execute_s": 0.4, "total_s": 1.0, "n": 1}
    )


def test_a_service_that_served_nothing_has_no_parts():
    records = run(services=[service(slo_s=1.0)], end_s=1.0)
    assert summarise(records, scenario())["latency_parts"] == {"s": []}
