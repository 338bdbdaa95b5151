"""Allocation programs: one decision of max-min fairness, whole and in parts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.max_min import max_min
from simulation.mechanisms.programs.partition import deal, gpus_of_parts, solve_in_parts
from tests.bench.conftest import Say
from tests.simulation.mechanisms.programs.demands import demand

JOBS, PARTS, SPLIT_ABOVE = 500, 8, 0.75
KINDS = np.array([[0.62, 2.62, 4.39], [7.05, 22.3, 24.1], [1.75, 5.09, 8.62], [17.1, 58.2, 64.7], [0.5, 2.4, 4.43]])
LOADS = {"crowded": [36, 36, 36], "roomy": [400, 400, 400]}  # GPUs of three models
pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too


def wanted(gpus: list[int]) -> Demand:
    """500 jobs of five kinds, no two of them alike."""
    rng = np.random.default_rng(0)
    rates = KINDS[rng.integers(0, len(KINDS), JOBS)] * rng.uniform(0.8, 1.25, (JOBS, 3))
    return demand(rng.choice([1, 1, 1, 2, 4, 8], JOBS).tolist(), rates.tolist(), gpus)


def seconds(work: Callable[[], object]) -> float:
    """The best of three."""
    best = np.inf
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.parametrize("load", LOADS)
def test_a_decision_of_max_min_fairness(benchmark: Any, figure: Say, load: str) -> None:
    whole = wanted(LOADS[load])
    benchmark.pedantic(lambda: max_min(whole), rounds=5, iterations=1, warmup_rounds=1)
    ours_s = benchmark.stats.stats.min
    figure(
        f"max-min, {JOBS} jobs x 3 GPU models, {load}: {ours_s * 1e3:.0f} ms a decision", value=ours_s, unit="s", most=1
    )


@pytest.mark.parametrize("load", LOADS)
def test_a_decision_in_eight_parts(benchmark: Any, figure: Say, load: str) -> None:
    """Parts do not wait for each other: on eight processors a decision takes as long as the longest of them."""
    whole = wanted(LOADS[load])
    part = deal(JOBS, PARTS, np.random.default_rng(0))
    gpus = gpus_of_parts(whole.gpus, PARTS)
    alone = [whole.subset(np.flatnonzero(part == k), gpus[k]) for k in range(PARTS)]
    benchmark.pedantic(lambda: solve_in_parts(max_min, whole, part, PARTS, SPLIT_ABOVE), rounds=3, iterations=1)
    whole_s, longest_s = seconds(lambda: max_min(whole)), max(seconds(lambda k=k: max_min(alone[k])) for k in range(8))
    figure(
        f"max-min in {PARTS} parts, {load}: the longest part is {whole_s / longest_s:.1f} times as fast as the whole, "
        f"all parts one after the other {whole_s / benchmark.stats.stats.min:.1f} times",
        value=whole_s / longest_s, unit="×", least=5,
    )  # fmt: skip
