"""Energy is idle to peak power by busy share, node overhead and PUE; unknown watts stay unknown."""

from __future__ import annotations

import pytest

from simulation.metrics.summary import summarise
from simulation.scenario import Prices
from tests.simulation.metrics.runs import Job, pool, run, scenario, service

WATTS = {"idle_w": 100.0, "peak_w": 400.0, "node_overhead_w": 500.0}


def energy(records, **more):
    metrics = summarise(records, scenario(**more))["metrics"]
    return metrics["energy_kwh"], metrics["carbon_kg"]


def test_an_idle_cluster_takes_idle_power_and_a_full_one_peak_power():
    assert energy(run(pools=[pool(**WATTS)], end_s=3600.0))[0]["value"] == pytest.approx(0.8 + 0.5)
    full = run([Job(0, [(0, 3600, 0, 8)])], [pool(**WATTS)])
    assert energy(full)[0]["value"] == pytest.approx(3.2 + 0.5)
    assert energy(full, pue=1.2)[0]["value"] == pytest.approx(1.2 * 3.7)


def test_overhead_of_jobs_and_waiting_replicas_take_idle_power():
    starting = run([Job(0, [(0, 3600, 0, 8)], overhead=4 * 3600.0)], [pool(**WATTS)])
    assert energy(starting)[0]["value"] == pytest.approx(0.8 + 0.3 * 4 + 0.5)
    replicas = run(
        pools=[pool(**WATTS)],
        services=[service(gpus_per_replica=2)],
        replicas=[(0, 0, 0, 2, 0.0, 3600.0)],
        busy=[1800.0],
    )
    assert energy(replicas)[0]["value"] == pytest.approx(0.8 + 0.3 + 0.5)


def test_energy_of_two_pools_follows_where_the_work_was():
    pools = [pool("a", **WATTS), pool("b", idle_w=10.0, peak_w=20.0)]
    on_a = run([Job(0, [(0, 3600, 0, 8)])], pools)
    on_b = run([Job(0, [(0, 3600, 1, 8)])], pools)
    assert energy(on_a)[0]["value"] == pytest.approx(3.7 + 0.08)
    assert energy(on_b)[0]["value"] == pytest.approx(1.3 + 0.16)


def test_unknown_watts_make_energy_and_carbon_unknown_and_name_the_pool():
    pools = [pool("a", **WATTS), pool("b", idle_w=10.0), pool("c", peak_w=10.0)]
    kwh, carbon = energy(run([Job(0, [(0, 10, 0, 1)])], pools), prices=Prices(carbon_g_per_kwh=300.0))
    assert kwh["value"] is None
    assert carbon["value"] is None
    assert kwh["note"] == carbon["note"] == "idle or peak power unknown of pool b, c"


def test_carbon_is_energy_times_intensity_and_unknown_without_one():
    records = run(pools=[pool(**WATTS)], end_s=36_000.0)
    assert energy(records, prices=Prices(carbon_g_per_kwh=300.0))[1]["value"] == pytest.approx(13 * 0.3)
    carbon = energy(records)[1]
    assert (carbon["value"], carbon["note"]) == (None, "carbon intensity of the grid unknown")
