"""The search for GPUs on nodes keeps its limits, and comes close to the best of all matrices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from simulation.mechanisms.programs.allocation_search import best_allocation, power_mean


class Case(NamedTuple):
    speedup: np.ndarray
    present: np.ndarray
    capacity: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reallocation: np.ndarray
    exponent: float

    def fitness(self, held: np.ndarray) -> float:
        factor = np.where((held == self.present).all(axis=1), 1.0, self.reallocation)
        spread = (np.count_nonzero(held, axis=1) > 1).astype(int)
        return power_mean(self.speedup[np.arange(len(held)), spread, held.sum(axis=1)] * factor, self.exponent)


def case(seed: int, jobs: int, nodes: int, gpus: int, exponent: float = -1.0) -> Case:
    """Speed-ups that grow as a power of the GPUs, and lose some over several nodes; the first job may run already."""
    rng = np.random.default_rng(seed)
    counts = np.arange(nodes * gpus + 1)
    one = counts ** rng.uniform(0.3, 1.0, (jobs, 1))
    several = one * rng.uniform(0.5, 0.95, (jobs, 1))
    one[:, 0], several[:, 0], one[:, gpus + 1 :] = 0, 0, 0
    present = np.zeros((jobs, nodes), np.int64)
    present[0, 0] = rng.integers(0, gpus + 1)
    return Case(
        np.stack([one, several], axis=1),
        present,
        np.full(nodes, gpus),
        np.ones(jobs, np.int64),
        np.maximum(present.sum(axis=1), rng.integers(1, nodes * gpus + 1, jobs)),
        np.where(present.any(axis=1), rng.uniform(0.3, 1.0, jobs), 1.0),
        exponent,
    )


def keeps_limits(problem: Case, held: np.ndarray) -> bool:
    total = held.sum(axis=1)
    spread = (held > 0) & ((held > 0).sum(axis=1, keepdims=True) > 1)
    within = (total == 0) | ((total >= problem.low) & (total <= problem.high))
    return bool(
        (held >= 0).all()
        and (held.sum(axis=0) <= problem.capacity).all()
        and (spread.sum(axis=0) <= 1).all()
        and within.all()
    )


def matrices(problem: Case) -> Iterator[np.ndarray]:
    jobs = len(problem.present)
    rows = list(itertools.product(*(range(c + 1) for c in problem.capacity)))
    for chosen in itertools.product(rows, repeat=jobs):
        held = np.array(chosen)
        if keeps_limits(problem, held):
            yield held


@pytest.mark.parametrize("seed", range(20))
def test_every_limit_is_kept_and_nothing_is_worse_than_what_is_held(seed: int) -> None:
    problem = case(seed, jobs=12, nodes=4, gpus=4, exponent=(-1.0, 1.0, 0.0, -3.0)[seed % 4])
    held = best_allocation(*problem)
    assert keeps_limits(problem, held)
    assert problem.fitness(held) >= problem.fitness(problem.present) * (1 - 1e-9)


def test_it_comes_close_to_the_best_of_all_matrices() -> None:
    """A local search: of 40 small problems nearly all are solved, and none is missed by more than a twentieth."""
    shares = []
    for seed in range(40):
        problem = case(seed, 3, 2, 2 + seed % 2, (-1.0, 1.0, 0.0, -3.0)[seed % 4])
        best = max(problem.fitness(held) for held in matrices(problem))
        shares.append(problem.fitness(best_allocation(*problem)) / best)
    assert min(shares) > 0.95
    assert np.mean(np.array(shares) > 1 - 1e-9) > 0.95


def test_with_one_gpu_nodes_the_mean_goes_to_the_steepest() -> None:
    """On independent GPUs, exponent 1: greedy by marginal speed-up is the optimum of a concave sum."""
    counts = np.arange(9)
    power = np.array([0.95, 0.6, 0.3])[:, None]
    speedup = np.repeat((counts**power * (counts > 0))[:, None, :], 2, axis=1)
    problem = Case(speedup, np.zeros((3, 1), np.int64), np.array([8]), np.ones(3, int), np.full(3, 8), np.ones(3), 1.0)
    gains = sorted(((speedup[j, 0, k + 1] - speedup[j, 0, k]) for j in range(3) for k in range(8)), reverse=True)
    assert problem.fitness(best_allocation(*problem)) == pytest.approx(sum(gains[:8]) / 3)


def test_a_fair_exponent_lifts_the_slowest() -> None:
    lowest = {}
    for exponent in (-1.0, 1.0):
        found = []
        for seed in range(10):
            problem = case(seed, jobs=6, nodes=2, gpus=4, exponent=exponent)
            held = best_allocation(*problem._replace(present=np.zeros_like(problem.present), high=np.full(6, 8)))
            spread = (np.count_nonzero(held, axis=1) > 1).astype(int)
            found.append(problem.speedup[np.arange(6), spread, held.sum(axis=1)].min())
        lowest[exponent] = np.mean(found)
    assert lowest[-1.0] > lowest[1.0]


def test_a_job_that_just_restarted_is_left_alone() -> None:
    """Factor 0: any change would cost it everything."""
    problem = case(3, jobs=4, nodes=2, gpus=4)
    present = np.array([[2, 0], [0, 1], [0, 0], [0, 0]])
    pinned = problem._replace(present=present, high=np.full(4, 8), reallocation=np.array([0.0, 0.0, 1.0, 1.0]))
    held = best_allocation(*pinned)
    assert (held[:2] == present[:2]).all()
    assert (held[2:].sum(axis=1) > 0).all()


def test_the_dearer_a_change_the_fewer_there_are() -> None:
    def changes(factor: float) -> int:
        moved = 0
        for seed in range(10):
            problem = case(seed, jobs=10, nodes=4, gpus=4)
            before = best_allocation(*problem)
            again = case(seed + 100, jobs=10, nodes=4, gpus=4)._replace(
                present=before, high=np.full(10, 16), reallocation=np.full(10, factor)
            )
            moved += int((best_allocation(*again) != before).any(axis=1).sum())
        return moved

    assert changes(0.99) > changes(0.9) > changes(0.5)


def test_nobody_is_no_problem() -> None:
    empty = np.zeros((0, 2), np.int64)
    none = np.zeros(0, np.int64)
    assert best_allocation(np.zeros((0, 2, 3)), empty, np.array([1, 1]), none, none, np.zeros(0), -1.0).shape == (0, 2)
