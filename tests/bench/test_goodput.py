"""How long one search for GPUs by goodput takes, and how good it is beside a genetic one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from simulation.mechanisms.programs.allocation_search import best_allocation, power_mean
from tests.bench.conftest import Say
from tests.bench.genetic import genetic

pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too
MOST_S = 1.0


def speedups(jobs: int, nodes: int, gpus: int) -> np.ndarray:
    """Powers of the GPU count, less over several nodes."""
    rng = np.random.default_rng(7)
    counts = np.arange(nodes * gpus + 1)
    one = counts ** rng.uniform(0.3, 1.0, (jobs, 1))
    several = one * rng.uniform(0.5, 0.95, (jobs, 1))
    one[:, 0], several[:, 0], one[:, gpus + 1 :] = 0, 0, 0
    return np.stack([one, several], axis=1)


def reached(speedup: np.ndarray, held: np.ndarray, exponent: float) -> float:
    several = (np.count_nonzero(held, axis=1) > 1).astype(int)
    return power_mean(speedup[np.arange(len(held)), several, held.sum(axis=1)], exponent)


@pytest.mark.parametrize(("jobs", "nodes", "gpus"), [(200, 16, 4), (200, 8, 8), (40, 16, 4), (20, 16, 4)])
def test_one_decision(benchmark: Any, figure: Say, jobs: int, nodes: int, gpus: int) -> None:
    speedup, capacity = speedups(jobs, nodes, gpus), np.full(nodes, gpus)
    nothing, low, high = np.zeros((jobs, nodes), np.int64), np.ones(jobs, np.int64), np.full(jobs, nodes * gpus)
    best_allocation(speedup, nothing, capacity, low, high, np.ones(jobs), -1.0)  # compiles
    held = benchmark.pedantic(
        best_allocation, args=(speedup, nothing, capacity, low, high, np.ones(jobs), -1.0), rounds=3
    )
    began_s = time.process_time()
    drawn = genetic(speedup, capacity, high, -1.0, seed=0)
    theirs_s, ours_s = time.process_time() - began_s, benchmark.stats.stats.min
    ours = reached(speedup, held, -1.0)
    figure(
        f"goodput search, {jobs} jobs on {nodes} x {gpus} GPUs: {ours_s * 1e3:.0f} ms a decision; fitness "
        f"{ours / drawn:.2f} x that of a genetic search (100 x 100), which took {theirs_s:.1f} s",
        value=ours_s, unit="s", most=MOST_S, beside=theirs_s,
    )  # fmt: skip
    assert ours_s < MOST_S
    assert ours >= drawn
