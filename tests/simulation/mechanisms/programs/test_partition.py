"""A program in parts: little is lost by dealing jobs and GPUs out at random, much by dealing them out by kind."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.max_min import entitlement, max_min
from simulation.mechanisms.programs.objectives import OBJECTIVES
from simulation.mechanisms.programs.partition import deal, gpus_of_parts, solve_in_parts
from simulation.records import Floats, Ints
from tests.simulation.mechanisms.programs.demands import assert_feasible, demand, random_demand

KINDS = np.array([[0.62, 2.62, 4.39], [0.50, 2.40, 4.43], [3.44, 5.68, 7.18], [10.4, 16.6, 7.5]])  # steps/s


def mixed(jobs: int, gpus: list[int], seed: int = 0) -> tuple[Demand, Ints]:
    """Jobs of four kinds, half of them alone on a GPU; and their kinds."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, len(KINDS), jobs)
    return demand(rng.choice([1, 1, 2, 4], jobs).tolist(), KINDS[kind].tolist(), gpus), kind


def lowest(wanted: Demand, share: Floats) -> float:
    return float((entitlement(wanted) * share).sum(axis=1).min())


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_part_is_the_whole(objective: str) -> None:
    wanted = random_demand(5, jobs=30, types=3)
    whole = OBJECTIVES[objective](wanted)
    assert (solve_in_parts(OBJECTIVES[objective], wanted, np.zeros(30, np.int64), 1, 0.75) == whole).all()


def test_parts_share_out_every_gpu() -> None:
    assert gpus_of_parts(np.array([10, 3, 0]), 4).tolist() == [[3, 1, 0], [3, 1, 0], [2, 1, 0], [2, 0, 0]]


def test_jobs_are_dealt_out_evenly_and_by_the_seed() -> None:
    parts = [deal(21, 4, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert sorted(np.bincount(parts[0])) == [5, 5, 5, 6]
    assert parts[0].tolist() == parts[1].tolist() != parts[2].tolist()


@pytest.mark.parametrize("parts", [2, 4, 8])
def test_the_union_of_parts_is_feasible(parts: int) -> None:
    wanted = random_demand(11, jobs=60, types=3)
    share = solve_in_parts(max_min, wanted, deal(60, parts, np.random.default_rng(0)), parts, 0.75)
    assert_feasible(wanted, share)


def test_of_many_jobs_at_random_little_is_lost() -> None:
    wanted, _ = mixed(400, [64, 64, 64])
    best = lowest(wanted, max_min(wanted))
    share = solve_in_parts(max_min, wanted, deal(400, 4, np.random.default_rng(0)), 4, 0.75)
    assert 0.93 * best < lowest(wanted, share) <= best * (1 + 1e-4)


def test_dealing_out_by_kind_loses_more() -> None:
    """What unlike jobs could give each other is lost where all in a part are alike."""
    wanted, kind = mixed(400, [64, 64, 64])
    at_random = deal(400, 4, np.random.default_rng(0))
    by_kind = [lowest(wanted, solve_in_parts(max_min, wanted, part, 4, 0.75)) for part in (at_random, kind)]
    assert by_kind[1] < 0.9 * by_kind[0]


def test_few_jobs_lose_more_than_many() -> None:
    loss = []
    for jobs, gpus in ((24, [4, 4, 4]), (480, [80, 80, 80])):
        gaps = []
        for seed in range(6):
            wanted, _ = mixed(jobs, gpus, seed)
            share = solve_in_parts(max_min, wanted, deal(jobs, 4, np.random.default_rng(seed)), 4, 0.75)
            gaps.append(1 - lowest(wanted, share) / lowest(wanted, max_min(wanted)))
        loss.append(np.mean(gaps))
    assert loss[1] < 0.7 * loss[0]


def test_a_gang_too_wide_for_a_part_is_split_over_several() -> None:
    """8 GPUs in 4 parts of 2: the gang of 8 asks for 2 in each, and has its place in the turn of all."""
    wanted = demand([8, 1, 1, 1, 1], [[1.0]] * 5, [8])
    share = solve_in_parts(max_min, wanted, np.array([0, 0, 1, 2, 3]), 4, 0.75)[:, 0]
    assert_feasible(wanted, share[:, None])
    assert share[0] == pytest.approx(0.5, abs=0.01)
    assert share[1:] == pytest.approx(1.0, abs=0.01)
