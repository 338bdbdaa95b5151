"""Upgrades by relative gain under a budget of energy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simulation.mechanisms.programs.energy_budget import Offers, configurations

KWH = 3.6e6
COUNTS = np.array([1, 2, 4, 8])
CLOCKS = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])


def offers(one_s: np.ndarray, bound: np.ndarray, talk: np.ndarray) -> Offers:
    """Jobs by run time on one GPU, how much the clock counts (0 to 1), and the share lost to communication."""
    n, f = COUNTS[None, :, None], CLOCKS[None, None, :]
    compute = 1.0 / (n * f ** bound[:, None, None])
    total = compute + np.where(n > 1, talk[:, None, None], 0.0)
    power_w = n * (80.0 + 220.0 * compute / total * f**3)
    left_s = one_s[:, None, None] * total
    return Offers(left_s, power_w * left_s, np.tile(COUNTS, (len(one_s), 1)))


def drawn(seed: int, jobs: int = 12) -> Offers:
    rng = np.random.default_rng(seed)
    return offers(rng.lognormal(8.0, 1.0, jobs), rng.uniform(0.0, 1.0, jobs), rng.uniform(0.0, 0.2, jobs))


def totals(given: Offers, chosen: dict[int, tuple[int, int]]) -> tuple[float, float, int]:
    """Mean time to the end, energy, GPUs."""
    left = [given.left_s[job][now] for job, now in chosen.items()]
    energy = [given.energy_j[job][now] for job, now in chosen.items()]
    return float(np.mean(left)), float(sum(energy)), sum(int(COUNTS[level]) for level, _ in chosen.values())


def test_the_larger_relative_gain_wins() -> None:
    """10,000 to 6,000 s for a tenth more energy is 4; 1,000 to 550 s for a twentieth is 9, if fewer seconds."""
    left_s = np.array([[[10_000.0], [6_000.0]], [[1_000.0], [550.0]]])
    energy_j = np.array([[[1.00], [1.10]], [[1.00], [1.05]]]) * KWH
    given = Offers(left_s, energy_j, np.array([[1, 2], [1, 2]]))
    assert configurations(given, 3, 9 * KWH, skip=False) == {0: (0, 0), 1: (1, 0)}
    assert configurations(given, 4, 2.06 * KWH, skip=False) == {0: (0, 0), 1: (1, 0)}
    assert configurations(given, 4, 2.16 * KWH, skip=False) == {0: (1, 0), 1: (1, 0)}


def test_a_too_dear_upgrade_ends_the_search_or_is_skipped() -> None:
    left_s = np.array([[[1_000.0], [100.0]], [[1_000.0], [900.0]]])
    energy_j = np.array([[[1.0], [1.5]], [[1.0], [1.1]]]) * KWH
    given = Offers(left_s, energy_j, np.array([[1, 2], [1, 2]]))
    assert configurations(given, 4, 2.2 * KWH, skip=False) == {0: (0, 0), 1: (0, 0)}
    assert configurations(given, 4, 2.2 * KWH, skip=True) == {0: (0, 0), 1: (1, 0)}


@pytest.mark.parametrize("seed", range(10))
def test_more_energy_never_means_later_ends(seed: int) -> None:
    given = drawn(seed)
    floor_j = sum(given.energy_j[job, 0].min() for job in range(12))
    budgets = [floor_j * factor for factor in (1.001, 1.1, 1.3, 2.0, 9.0)]
    found = [totals(given, configurations(given, 64, budget_j, skip=False)) for budget_j in budgets]
    assert all(more[0] <= less[0] and more[1] >= less[1] for less, more in itertools.pairwise(found))
    assert all(energy <= budget_j for (_, energy, _), budget_j in zip(found, budgets, strict=True))
    assert found[-1][0] < 0.5 * found[0][0]


@pytest.mark.parametrize("seed", range(10))
def test_gpus_are_never_exceeded_and_all_used_when_energy_is_free(seed: int) -> None:
    given = drawn(seed, jobs=40)
    chosen = configurations(given, 64, np.inf, skip=False)
    assert totals(given, chosen)[2] <= 64
    assert all(clock == len(CLOCKS) - 1 for job, (_, clock) in chosen.items() if gains_by_clock(given, job))


def gains_by_clock(given: Offers, job: int) -> bool:
    return bool(given.left_s[job, 0, 0] > given.left_s[job, 0, -1] * 1.001)


def test_a_job_bound_by_memory_gets_a_lower_clock() -> None:
    given = offers(np.full(2, 10_000.0), np.array([1.0, 0.05]), np.array([0.05, 0.05]))
    floor_j = sum(given.energy_j[job, 0].min() for job in range(2))
    chosen = configurations(given, 2, floor_j * 1.3, skip=True)
    assert chosen[0][1] > chosen[1][1]


def test_who_ends_first_starts_first_while_gpus_last() -> None:
    given = offers(np.array([300.0, 100.0, 200.0]), np.ones(3), np.zeros(3))
    assert set(configurations(given, 2, np.inf, skip=False)) == {1, 2}


def test_one_job_runs_whatever_the_budget() -> None:
    assert set(configurations(drawn(1), 64, 0.0, skip=False)) == {int(np.argmin(shortest(drawn(1))))}


def shortest(given: Offers) -> np.ndarray:
    rows = np.arange(len(given.left_s))
    return given.left_s[rows, 0, given.energy_j[:, 0].argmin(axis=1)]


def test_a_job_that_fits_nowhere_waits() -> None:
    given = drawn(2, jobs=3)
    given.left_s[1] = np.inf
    given.energy_j[1] = np.inf
    assert set(configurations(given, 64, np.inf, skip=False)) == {0, 2}
