"""A lower clock slows what computes and not what communicates, and takes the cube off the power."""

from __future__ import annotations

from typing import Any

import pytest

from simulation.metrics.capacity import pool_use
from simulation.metrics.energy import pool_energy_kwh
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import RunRecords
from simulation.scenario import Cluster, Scenario, Workload
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import clock, play, start


def run(script: dict[float, Any], sensitivity: float = 1.0, gradient_bytes: float = 0.0) -> RunRecords:
    """One job of 100 s on 8 GPUs that draw 100 W idle and 500 W at full clock, whole power."""
    profile = RateProfile(
        name="p",
        iteration=Iteration(compute_s=8.0, gradient_bytes=gradient_bytes, overlap=1.0),
        clock_sensitivity=sensitivity,
    )
    jobs = table((0, 100, 8), profile=["p"])
    pools = [pool(1, 8, idle_w=100.0, peak_w=500.0)]
    return play(Scenario(cluster=Cluster(pools=pools), workload=Workload(jobs=jobs, profiles=[profile])), script)[0]


def energy_j(records: RunRecords) -> float:
    kwh = pool_energy_kwh(records, pool_use(records), pue=1.0)[0]
    assert kwh is not None
    return kwh * 3.6e6


def test_half_clock_takes_twice_as_long_for_an_eighth_of_the_dynamic_power() -> None:
    records = run({0.0: [start(0, 8), clock(0, 0.5)]})
    assert records.jobs.end_s[0] == pytest.approx(200.0)
    assert energy_j(records) == pytest.approx(8 * 200.0 * (100.0 + 400.0 / 8))


def test_work_that_feels_the_clock_less_is_slowed_less() -> None:
    records = run({0.0: [start(0, 8), clock(0, 0.25)]}, sensitivity=0.5)
    assert records.jobs.end_s[0] == pytest.approx(100.0 / 0.25**0.5)


def test_the_clock_does_not_slow_the_network() -> None:
    """Half of the iteration is an all-reduce: at half clock it takes 1.5 times as long, and 2/3 of it computes."""
    reduced = (1.0 - 8.4e-6 - 14 * 3.4e-6) * 12e9 * 8 / 14  # 1 s over the 12 GB/s that stand in for an unknown link
    records = run({0.0: [start(0, 8), clock(0, 0.5)]}, gradient_bytes=reduced)
    assert records.jobs.end_s[0] == pytest.approx(150.0)
    assert records.job_spans.activity == pytest.approx([2 / 3 * 0.5**3])


def test_a_clock_that_changes_in_mid_run_splits_time_and_energy() -> None:
    """60 s at full clock, then the other 40 s of work at half clock."""
    records = run({0.0: [start(0, 8)], 60.0: [clock(0, 0.5)]})
    assert records.jobs.end_s[0] == pytest.approx(60.0 + 80.0)
    assert energy_j(records) == pytest.approx(8 * (60.0 * 500.0 + 80.0 * 150.0))
    assert records.jobs.preemptions.tolist() == [0]


def test_a_plain_job_obeys_its_clock_too() -> None:
    scenario = Scenario(cluster=Cluster(pools=[pool()]), workload=Workload(jobs=table((0, 100, 8))))
    records, _ = play(scenario, {0.0: [start(0, 8)], 50.0: [clock(0, 0.5)], 100.0: [clock(0, 1.0)]})
    assert records.jobs.end_s[0] == pytest.approx(125.0)


@pytest.mark.parametrize("value", [0.0, 1.5, -1.0])
def test_an_impossible_clock_is_refused(value: float) -> None:
    scenario = Scenario(
        cluster=Cluster(pools=[pool()]), workload=Workload(jobs=table((0, 100, 8), (200, 1, 1))), horizon_s=300.0
    )
    _, loop = play(scenario, {0.0: [start(0, 8), clock(0, value)], 200.0: [start(1, 1)]})
    assert loop.refusal == f"job 0 gets clock {value}, expected more than 0 and at most 1"
    assert loop.ledger.phase.tolist()[0] == 1  # the whole plan was refused: it waits
