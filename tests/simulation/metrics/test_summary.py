"""The result document: complete, plain JSON, reproducible, every metric with its origin."""

from __future__ import annotations

from decimal import Decimal

import pytest

from simulation.metrics.definitions import METRICS, OBJECTIVES
from simulation.metrics.summary import summarise
from simulation.provenance import Origin
from simulation.scenario import Origins, PriceLine, Prices, canonical_bytes
from tests.simulation.metrics.runs import Job, pool, run, scenario, served, service

KEYS = {
    "engine", "end_s", "metrics", "distributions", "wait_by_gang", "latency_parts", "services", "tenants", "timeline",
    "costs", "counts", "decisions", "conservation",
}  # fmt: skip


def rich():
    watts = {"idle_w": 50.0, "peak_w": 400.0}
    return run(
        [Job(i, [(i + 1, i + 30, 0, 2)], gpus=2, tenant="ab"[i % 2]) for i in range(3)],
        [pool(**watts)],
        services=[service(slo_s=1.0)],
        requests=served([(0, float(i), 0.1, 0.0, 0.0, 0.5) for i in range(20)]),
        replicas=[(0, 0, 0, 1, 0.0, 30.0)],
        busy=[10.0],
    )


@pytest.mark.parametrize("records", [run(), run(end_s=5.0), rich()], ids=["empty", "idle", "rich"])
def test_the_document_is_whole_and_canonical(records):
    document = summarise(records, scenario())
    assert set(document) == KEYS
    assert set(document["metrics"]) == set(METRICS)
    assert canonical_bytes(document) == canonical_bytes(summarise(records, scenario()))
    for entry in document["metrics"].values():
        assert set(entry) == {"value", "unit", "n", "origin", "inputs", "note"}
        assert entry["value"] is not None or entry["note"], "unknown says why"


def test_objectives_are_metrics_with_a_direction():
    assert all(METRICS[name].better in ("lower", "higher") for name in OBJECTIVES)
    assert [name for name in OBJECTIVES if METRICS[name].better == "higher"] == ["jain_gpu_time"]


def test_every_definition_can_be_read():
    for metric in METRICS.values():
        assert metric.title
        assert metric.definition.endswith(".")
        assert metric.formula
        assert set(metric.inputs) <= set(Origins.model_fields)


def test_a_metric_is_as_weak_as_the_weakest_input_that_it_uses():
    prices = Prices(lines=[PriceLine(gpu_model="A100", usd_per_gpu_h=Decimal(2))], carbon_g_per_kwh=100.0)
    origins = Origins(
        workload=Origin.MEASURED,
        cluster=Origin.MEASURED,
        prices=Origin.ILLUSTRATIVE,
        power=Origin.CITED,
        carbon=Origin.ASSUMED,
    )
    metrics = summarise(rich(), scenario(prices=prices, origins=origins))["metrics"]
    found = {name: metrics[name]["origin"] for name in ("jct_mean_s", "cost_usd", "energy_kwh", "carbon_kg")}
    assert found == {
        "jct_mean_s": "simulated", "cost_usd": "illustrative", "energy_kwh": "cited", "carbon_kg": "assumed",
    }  # fmt: skip


def test_scaling_all_times_scales_the_results():
    def stretched(k):
        jobs = [Job(i * k, [((i + 1) * k, (i + 30) * k, 0, 2)], gpus=2) for i in range(3)]
        return summarise(run(jobs, [pool(idle_w=50.0, peak_w=400.0)]), scenario())["metrics"]

    one, three = stretched(1.0), stretched(3.0)
    for name in ("jct_mean_s", "wait_p95_s", "makespan_s", "energy_kwh"):
        assert three[name]["value"] == pytest.approx(3 * one[name]["value"])
    for name in ("slowdown_mean", "rho_max", "jain_gpu_time", "utilisation_busy", "fragmentation"):
        assert three[name]["value"] == pytest.approx(one[name]["value"])
