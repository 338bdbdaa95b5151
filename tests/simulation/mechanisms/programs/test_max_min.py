"""Max-min: the lowest level cannot be raised, nor the next one without lowering it, and so on."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.linear import LinearProgram
from simulation.mechanisms.programs.max_min import entitlement, max_min
from simulation.records import Floats
from tests.simulation.mechanisms.programs.demands import assert_feasible, by_simplex, demand, random_demand

# steps/s on one K80, P100, V100, from the artifact of the Gavel paper
K80_P100_V100 = {
    "resnet-50": [0.62, 2.62, 4.39],
    "cyclegan": [0.50, 2.40, 4.43],
    "a3c": [3.44, 5.68, 7.18],
    "recommendation": [10.4, 16.6, 7.5],
}


def levels(wanted: Demand, share: Floats) -> Floats:
    level: Floats = (entitlement(wanted) * share).sum(axis=1)
    return level


def highest(wanted: Demand, floor: Floats, rising: Floats) -> float:
    """The level to which `rising` jobs can be raised at best while the others have their floor."""
    usable = wanted.usable
    worth = np.where(usable, entitlement(wanted), 0.0)
    gpus = np.maximum(1.0, wanted.gpus)
    found = by_simplex(LinearProgram(np.zeros(worth.shape), worth, floor, rising, wanted.gang, gpus))
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(24))
def test_no_level_can_be_raised_without_lowering_a_lower_one(seed: int) -> None:
    """Each distinct level in turn: those below keep theirs, all others are raised together as far as they go."""
    wanted = random_demand(seed, most_gpus=int([12, 40, 200][seed % 3]))
    share = max_min(wanted)
    assert_feasible(wanted, share)
    level = levels(wanted, share)
    runs = wanted.usable.any(axis=1)
    assert (level[~runs] == 0).all()
    for lowest in np.unique(np.round(level[runs], 3))[:4]:
        below = runs & (level < lowest - 0.002)
        rising = runs & ~below
        floor = np.where(below, level * (1 - 2e-5), 0.0)
        assert level[rising].min() == pytest.approx(highest(wanted, floor, rising.astype(np.float64)), rel=2e-4)


def test_the_time_of_a_gang_counts_for_each_of_its_gpus() -> None:
    share = max_min(demand([1, 4], [[1.0], [1.0]], [4]))
    assert share[:, 0] == pytest.approx([1.0, 0.75], abs=1e-5)  # 1 GPU has all that it can use, 3 are left of 4
    share = max_min(demand([1, 4, 1, 1, 2, 2], [[1.0]] * 6, [4]))
    assert share[:, 0] * [1, 4, 1, 1, 2, 2] == pytest.approx([4 / 6] * 6, abs=1e-5)


def test_a_job_of_five_times_the_weight_gets_five_times_as_much() -> None:
    share = max_min(demand([1] * 5, [[1.0]] * 5, [1], weight=[5.0, 1.0, 1.0, 1.0, 1.0]))
    assert share[:, 0] == pytest.approx([5 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9], abs=1e-5)


def test_who_gains_least_from_fast_gpus_gets_the_slow_ones() -> None:
    rates = [K80_P100_V100[name] for name in K80_P100_V100 for _ in range(4)]
    share = max_min(demand([1] * 16, rates, [4, 4, 4])).reshape(4, 4, 3).mean(axis=1)
    slow = share[:, :2].sum(axis=1) / share.sum(axis=1)
    assert slow[2:].min() > slow[:2].max()


def test_where_types_are_equally_fast_for_a_job_its_rate_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    blind = demand(rng.choice([1, 2, 4], 20).tolist(), [[1.0] * 3] * 20, [6, 4, 8])
    aware = blind._replace(rate=blind.rate * rng.uniform(0.2, 4.0, (20, 1)))
    assert np.abs(max_min(aware) - max_min(blind)).max() < 1e-5


def test_knowing_rates_raises_the_lowest_rate_where_speedups_differ() -> None:
    rates = [K80_P100_V100[name] for name in K80_P100_V100 for _ in range(4)]
    aware = demand([1] * 16, rates, [4, 4, 4])
    blind = aware._replace(rate=np.ones(aware.rate.shape))
    lowest = [levels(aware, max_min(seen)).min() for seen in (aware, blind)]
    assert lowest[0] > 1.1 * lowest[1]


def test_who_can_run_nowhere_gets_nothing_and_harms_nobody() -> None:
    share = max_min(demand([1, 8, 1], [[1.0], [1.0], [0.0]], [4]))
    assert share[:, 0].tolist() == [1.0, 0.0, 0.0]
    assert max_min(demand([], [], [4])).shape == (0, 1)
    assert max_min(demand([1], [[1.0]], [0])).tolist() == [[0.0]]
