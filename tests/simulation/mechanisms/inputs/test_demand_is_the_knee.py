"""What a job asks for: the least inputs that are worth having, read off a curve that is known point by point."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.inputs.demand import InputCurve, Inputs, best_demand, optimistic

GB = 1e9
CORES = np.array([1.0, 2, 3, 4, 5, 6, 9, 12, 24])
FAIR = Inputs(3.0, 62.5 * GB)
# relative throughput of ResNet-18 on a V100 by cores at 62.5 GB and more, and a tenth at 20.83 GB (Synergy's tables)
RESNET18 = InputCurve(
    CORES,
    np.array([20.83, 62.5, 250.0]) * GB,
    np.stack([np.full(9, 0.1), *[np.array([0.37, 0.72, 1.0, 1.3, 1.53, 1.75, 2.4, 2.4, 2.4])] * 2], axis=1),
)
BERT = InputCurve(CORES, np.array([20.83, 250.0]) * GB, np.ones((9, 2)))


def test_the_knee_of_published_curves() -> None:
    assert best_demand(RESNET18, FAIR, 0.02) == Inputs(9.0, 62.5 * GB)
    assert best_demand(BERT, FAIR, 0.02) == Inputs(1.0, 20.83 * GB)


def test_a_wider_tolerance_asks_for_less_but_never_for_less_speed_than_the_fair_share() -> None:
    assert best_demand(RESNET18, FAIR, 0.3) == Inputs(6.0, 62.5 * GB)
    assert best_demand(RESNET18, FAIR, 0.99) == Inputs(3.0, 62.5 * GB)


def test_between_points_speed_is_linear_and_beyond_them_constant() -> None:
    assert RESNET18.at(Inputs(7.5, 100 * GB)) == pytest.approx((1.75 + 2.4) / 2)
    assert RESNET18.at(Inputs(100.0, 1000 * GB)) == 2.4
    assert RESNET18.at(Inputs(24.0, 41.665 * GB)) == pytest.approx((0.1 + 2.4) / 2)


def test_memory_follows_from_the_cache() -> None:
    """Half of a 100 GB data set cached: storage has to feed every other sample, so speed at most doubles its own."""
    curve = optimistic(
        np.array([1.0, 8.0]), np.array([3.0, 10.0]), np.array([0.0, 50.0, 100.0]) * GB, 100 * GB, storage_speed=2.0
    )
    assert curve.speed.tolist() == [[2.0, 3.0, 3.0], [2.0, 4.0, 10.0]]


@pytest.mark.parametrize("seed", range(200))
def test_cut_back_to_a_fair_share_no_job_is_slower_than_with_it(seed: int) -> None:
    """Whatever the curve: falling back on either input costs nothing that a proportional share would have given."""
    rng = np.random.default_rng(seed)
    speed = np.cumsum(np.cumsum(rng.exponential(1.0, (5, 4)) * (rng.random((5, 4)) < 0.4), axis=0), axis=1) + 0.1
    curve = InputCurve(np.array([1.0, 2, 3, 6, 12]), np.array([10.0, 20, 40, 80]), speed)
    fair = Inputs(float(rng.uniform(1, 12)), float(rng.uniform(10, 80)))
    wanted = best_demand(curve, fair, float(rng.uniform(0, 0.3)))
    assert curve.at(wanted) >= curve.at(fair) - 1e-12
    assert curve.at(wanted.at_most(fair)) >= curve.at(fair) - 1e-12
