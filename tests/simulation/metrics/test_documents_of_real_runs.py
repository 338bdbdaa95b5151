"""What a run's document says in one place agrees with what it says in another, under every training policy."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from simulation.generators import example
from simulation.generators.jobs import JobMix, synthetic_jobs
from simulation.metrics.definitions import METRICS
from simulation.run import Outcome, simulate
from simulation.scenario import Choice, Phase, Requests, Scenario, Workload, canonical_bytes

POLICIES = ["fcfs-quota", "fcfs-backfill", "sjf", "srtf", "tiresias", "fair-share"]


def small(policy: str, horizon_s: float | None = None) -> Scenario:
    """Two busy days of the example's cluster."""
    mix = JobMix(jobs_per_day=60, days=2, gangs={1: 5, 4: 3, 8: 2}, mean_s=12_000.0, tenants={"a": 2, "b": 1})
    requests = Requests(phases=[Phase(start_s=0.0, rate_per_s=0.5)], end_s=40_000.0)
    service = example.service().model_copy(update={"requests": requests})
    jobs = synthetic_jobs(mix, np.random.default_rng(6))
    changes = {
        "cluster": example.cluster(2),
        "workload": Workload(jobs=jobs, services=[service]),
        "training": Choice(system=policy),
        "quotas": {"a": 0.6, "b": 0.4},
        "horizon_s": horizon_s,
    }
    return example.scenario().model_copy(update=changes)


@pytest.fixture(scope="module", params=POLICIES)
def outcome(request) -> Outcome:
    return simulate(small(request.param), seed=3)


def test_time_line_and_totals_agree(outcome):
    line, metrics = outcome.document["timeline"], outcome.document["metrics"]
    for kind in ("allocated", "busy", "useful"):
        assert np.mean(line[kind]) == pytest.approx(metrics[f"utilisation_{kind}"]["value"], abs=2e-6)
    assert max(line["allocated"]) <= 1.0
    waited_s = outcome.document["distributions"]["wait"]
    assert np.mean(line["waiting"]) * outcome.document["end_s"] == pytest.approx(
        waited_s["mean"] * waited_s["n"], rel=1e-4
    )


def test_gpu_hours_of_costs_tenants_and_utilisation_agree(outcome):
    document = outcome.document
    used = sum(float(line["quantity"]) for line in document["costs"] if line["line"] == "used")
    idle = sum(float(line["quantity"]) for line in document["costs"] if line["line"] == "idle")
    capacity_h = document["timeline"]["capacity_gpus"] * document["end_s"] / 3600
    assert used == pytest.approx(sum(row["gpu_h"] for row in document["tenants"]), abs=1e-4)
    assert used / capacity_h == pytest.approx(document["metrics"]["utilisation_allocated"]["value"], abs=1e-8)
    assert used + idle == pytest.approx(capacity_h, abs=1e-4)


def test_costs_add_up_to_the_cent_and_energy_is_what_electricity_was_paid_for(outcome):
    document = outcome.document
    total = sum(Decimal(line["usd"]) for line in document["costs"])
    assert total == Decimal(str(document["metrics"]["cost_usd"]["value"]))
    bought = sum(float(line["quantity"]) for line in document["costs"] if line["line"] == "electricity")
    assert 0 < bought < document["metrics"]["energy_kwh"]["value"]  # the owned pool; the reserved one's is in its price


def test_nothing_is_lost_between_submission_and_the_tables(outcome):
    counts, tenants = outcome.document["counts"], outcome.document["tenants"]
    jobs, requests = counts["jobs"], counts["requests"]
    assert jobs["submitted"] == sum(jobs[k] for k in ("finished", "running", "waiting", "rejected"))
    assert jobs["submitted"] == sum(row["submitted"] for row in tenants)
    assert requests["submitted"] == sum(requests[k] for k in ("served", "unfinished", "dropped"))
    assert sum(row["n"] for row in outcome.document["wait_by_gang"]) == jobs["finished"]
    balance = outcome.document["conservation"]
    assert abs(balance["residual"]) <= 1e-6 * balance["gpu_s_allocated"]


def test_every_metric_of_this_scenario_is_known(outcome):
    unknown = {name for name, entry in outcome.document["metrics"].items() if entry["value"] is None}
    assert unknown == {"deadline_miss_rate", "jobs_stopped_early", "saved_gpu_h"}
    assert set(outcome.document["metrics"]) == set(METRICS)
    assert outcome.document["metrics"]["slowdown_mean"]["value"] >= 1.0
    assert outcome.document["metrics"]["rho_max"]["value"] >= outcome.document["metrics"]["rho_mean"]["value"]
    canonical_bytes(outcome.document)


def test_a_horizon_counts_the_unfinished():
    document = simulate(small("fcfs-quota", horizon_s=90_000.0), seed=3).document
    jobs, jct = document["counts"]["jobs"], document["metrics"]["jct_mean_s"]
    left = jobs["running"] + jobs["waiting"]
    assert left > 0
    assert jct["note"] == f"{left} unfinished jobs not included: theirs is a lower bound"
    assert document["distributions"]["jct"]["censored"] == left
    assert document["end_s"] == 90_000.0
