"""Measured rates are kept to the digit, interpolated inside their range, and flagged wherever they are continued."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.hardware import Links
from simulation.rate_profile import Goodput, Iteration, NoiseStep, RatePoint, RateProfile
from simulation.run import run_records
from simulation.scenario import Cluster, Overheads, Scenario, Workload
from simulation.world.curves import Curve, curve
from simulation.world.links import CLUSTER, ISLAND, NODE, RACK, wiring
from tests.simulation.building import pool, table

WIRES = wiring(Links(island_gb_s=120.0, network_gb_s=12.0), 8)


def points(*of: tuple[int, float], model: str = "V100", level: str = "node") -> list[RatePoint]:
    return [RatePoint(gpu_model=model, gpus=n, rate=rate, level=level) for n, rate in of]  # type: ignore[arg-type]


def measured(*of: tuple[int, float], **rest: Any) -> RateProfile:
    return RateProfile(name="m", reference_model="V100", points=points(*of), **rest)


def at(profile: RateProfile, model: str = "V100", speed: float = 1.0) -> Curve:
    return curve(profile, model, speed, WIRES, 12)


def test_inside_the_range_points_are_joined_by_lines() -> None:
    found = at(measured((2, 10.0), (4, 16.0), (8, 20.0)))
    assert found.rate[0, NODE, [2, 3, 4, 6, 8]].tolist() == [10.0, 13.0, 16.0, 18.0, 20.0]
    assert found.beyond[0, NODE, 2:9].tolist() == [0.0] * 7


def test_outside_fewer_gpus_work_in_proportion_and_more_add_nothing_and_both_are_flagged() -> None:
    found = at(measured((2, 10.0), (4, 16.0)))
    assert found.rate[0, NODE, [0, 1, 5, 12]].tolist() == [0.0, 5.0, 16.0, 16.0]
    assert found.beyond[0, NODE, [1, 2, 4, 5]].tolist() == [1.0, 0.0, 0.0, 1.0]


def test_outside_the_model_of_an_iteration_goes_on_from_the_last_point() -> None:
    """Perfect scaling by the model: from 16 at 4 GPUs to 48 at 12, and down to 5 at 1."""
    found = at(measured((2, 10.0), (4, 16.0), iteration=Iteration(compute_s=1.0)))
    assert found.rate[0, NODE, [1, 3, 12]] == pytest.approx([5.0, 13.0, 48.0])
    assert found.beyond[0, NODE, [1, 3, 12]].tolist() == [1.0, 0.0, 1.0]


def test_a_better_level_is_taken_to_be_as_fast_and_a_worse_one_slower_and_flagged() -> None:
    found = at(measured((1, 5.0), (8, 20.0)))
    assert found.rate[0, [ISLAND, NODE, RACK, CLUSTER], 8] == pytest.approx([20.0, 20.0, 15.0, 13.0])
    assert found.beyond[0, [ISLAND, NODE, RACK, CLUSTER], 8].tolist() == [0.0, 0.0, 1.0, 1.0]
    assert found.rate[0, CLUSTER, 1] == 5.0  # one GPU crosses nothing


def test_a_model_that_was_not_measured_goes_by_its_speed_and_is_flagged() -> None:
    found = at(measured((1, 5.0), (8, 20.0)), "A100", 2.0)
    assert found.rate[0, NODE, [1, 8]].tolist() == [10.0, 40.0]
    assert found.beyond[0].all()


def test_a_measured_zero_is_a_job_that_does_not_run_there() -> None:
    profile = RateProfile(
        name="big", reference_model="A100", points=points((1, 9.0), model="A100") + points((1, 0.0), model="V100")
    )
    pools = [pool(1, 8), pool(1, 8, name="b", gpu_model="A100")]
    records = run(table((0, 60, 1), profile=["big"]), [profile], pools)
    assert records.job_spans.node.tolist() == [1]
    only_small = run(table((0, 60, 1), profile=["big"], gpu_models=[["V100"]]), [profile], pools)
    assert only_small.jobs.outcome.tolist() == [3]  # rejected


def run(jobs: Any, profiles: list[RateProfile], pools: list[Any], **rest: Any) -> Any:
    return run_records(Scenario(cluster=Cluster(pools=pools), workload=Workload(jobs=jobs, profiles=profiles), **rest))


def test_a_run_counts_the_segments_at_rates_that_nobody_measured() -> None:
    profile = measured((1, 5.0), (4, 16.0))
    jobs = table((0, 60, 4), (0, 60, 8), (0, 60, 2), profile=["m"] * 3)
    records = run(jobs, [profile], [pool(2, 8)])
    assert records.decisions["rates_extrapolated"] == 1
    inside = run(table((0, 60, 4), profile=["m"]), [profile], [pool(2, 8)])
    assert "rates_extrapolated" not in inside.decisions


def test_work_is_what_the_asked_gang_does_in_its_duration_on_the_reference_model() -> None:
    """4 V100 at 16/s for 60 s: 960 iterations. Alone on A100 at 40/s they take 24 s."""
    profile = RateProfile(name="m", reference_model="V100", points=points((4, 16.0)) + points((4, 40.0), model="A100"))
    jobs = table((0, 60, 4), (0, 60, 4), profile=["m", "m"], gpu_models=[["V100"], ["A100"]])
    records = run(jobs, [profile], [pool(1, 8), pool(1, 8, name="b", gpu_model="A100")])
    assert records.jobs.end_s == pytest.approx([60.0, 24.0])
    assert records.jobs.isolated_s == pytest.approx([60.0, 24.0])


def test_isolated_time_is_that_of_the_fastest_permitted_model() -> None:
    profile = RateProfile(name="m", reference_model="V100", points=points((4, 16.0)) + points((4, 40.0), model="A100"))
    pools = [pool(1, 8), pool(1, 8, name="b", gpu_model="A100")]
    records = run(table((0, 60, 4), (0, 60, 4), profile=["m", "m"], gpu_models=[[], ["V100"]]), [profile], pools)
    assert records.jobs.isolated_s == pytest.approx([24.0, 60.0])


GOODPUT = Goodput(
    alpha_c_s=0.1, beta_c_s=0.01, alpha_node_s=0.05, beta_node_s=0.02, batch=32, batch_max=64, batch_gpu_max=64,
    gamma=1.0, noise=[NoiseStep(progress=0, phi=1.0), NoiseStep(progress=0.5, phi=4.0)],
)  # fmt: skip


def goodput_by_hand(gpus: int, batch: float, phi: float) -> float:
    grad_s = 0.1 + 0.01 * batch / gpus
    sync_s = 0.05 + 0.02 * (gpus - 2) if gpus > 1 else 0.0
    return batch / (grad_s + sync_s) * (phi + 1) / (phi + batch / 32)


def test_goodput_is_throughput_times_efficiency_at_the_best_batch() -> None:
    found = at(RateProfile(name="g", goodput=GOODPUT))
    batches = np.geomspace(32, 64, 50)
    for phase, phi in enumerate((1.0, 4.0)):
        for gpus in (1, 4):
            best = max(goodput_by_hand(gpus, batch, phi) for batch in batches)
            assert found.rate[phase, NODE, gpus] == pytest.approx(best, rel=1e-12)
    # one GPU: a large batch does not pay at low noise, and does at high noise
    assert found.rate[0, NODE, 1] == pytest.approx(goodput_by_hand(1, 32.0, 1.0))
    assert found.rate[1, NODE, 4] > goodput_by_hand(4, 32.0, 4.0)


def test_a_phase_change_inside_a_segment_is_met_at_its_instant() -> None:
    """The gang asked for takes its duration, whatever its phases; another number of GPUs takes the sum over phases."""
    jobs = table((0, 100, 4), (0, 100, 4), profile=["g", "g"], gpus_min=[4, 4], gpus_max=[4, 4])
    records = run(jobs, [RateProfile(name="g", goodput=GOODPUT)], [pool(1, 8)], overheads=Overheads(start_s=7.0))
    assert records.jobs.end_s == pytest.approx([107.0, 107.0], rel=1e-12)


def test_on_twice_as_fast_gpus_each_phase_goes_at_its_own_rate() -> None:
    """Only the gradient time shrinks, so the gain is not twofold, and differs between the phases."""
    profile = RateProfile(name="g", goodput=GOODPUT, reference_model="V100")
    pools = [pool(1, 8), pool(1, 8, name="b", gpu_model="A100", speed=2.0)]
    records = run(table((0, 100, 4), profile=["g"], gpu_models=[["A100"]]), [profile], pools)
    slow, fast = at(profile).rate[:, ISLAND, 4], at(profile, "A100", 2.0).rate[:, ISLAND, 4]
    work = 100.0 / (0.5 / slow).sum()  # units of work: half of them in each phase
    assert records.jobs.end_s[0] == pytest.approx((0.5 * work / fast).sum(), rel=1e-12)
