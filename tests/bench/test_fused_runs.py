"""Fused runs against bare loops, and how time grows with the number of jobs."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from simulation.scenario import Scenario
from simulation.world.build import World
from tests.bench import yardstick
from tests.bench.conftest import Say
from tests.bench.loads import loop_of, scenario, world_of

JOBS = 100_000
NODES = 16
pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too


@pytest.fixture(scope="module")
def load() -> tuple[Scenario, World]:
    whole = scenario(JOBS, NODES, 0.85)
    return whole, world_of(whole)


def bare_non_preemptive(world: World) -> float:
    """Events a second."""
    n, jobs = len(world.jobs), world.jobs
    rooms = [np.zeros(n), np.zeros(n), np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)]
    servers = servers_for(world)
    yardstick.shortest_first(jobs.submit_s[:9], jobs.duration_s, servers, *rooms)
    began = time.process_time()
    events = yardstick.shortest_first(jobs.submit_s, jobs.duration_s, servers, *rooms)
    return events / (time.process_time() - began)


def bare_preemptive(world: World) -> float:
    n, jobs = len(world.jobs), world.jobs
    servers = servers_for(world)
    yardstick.shortest_remaining(jobs.submit_s[:9], servers, jobs.duration_s.copy(), np.zeros(n), np.zeros(n, np.int64))
    rooms = [jobs.duration_s.copy(), np.zeros(n), np.zeros(n, np.int64)]
    began = time.process_time()
    events = yardstick.shortest_remaining(jobs.submit_s, servers, *rooms)
    return events / (time.process_time() - began)


def servers_for(world: World) -> int:
    """As many one-GPU servers as bear the same load in jobs."""
    return int(world.nodes.gpus / world.jobs.gang.mean())


def rate(benchmark: Any, whole: Scenario, world: World, system: str, **parameters: Any) -> float:
    """Events (arrivals, ends, preemptions) a second of the best round."""
    loops: list[Any] = []

    def fresh() -> None:
        loops.append(loop_of(whole, world, system, **parameters))

    benchmark.pedantic(lambda: loops[-1].run(), setup=fresh, rounds=2, iterations=1, warmup_rounds=1)
    events = 2 * len(world.jobs) + int(loops[-1].ledger.preemptions.sum())
    return events / float(benchmark.stats.stats.min)


@pytest.mark.parametrize(
    ("system", "bare", "least"),
    [("fcfs-quota", bare_non_preemptive, 5e6), ("sjf", bare_non_preemptive, 5e6),
     ("srtf", bare_preemptive, 0.5e6), ("tiresias", bare_preemptive, 0.5e6)],
)  # fmt: skip
def test_events_a_second(
    benchmark: Any, figure: Say, load: tuple[Scenario, World], system: str, bare: Any, least: float
) -> None:
    whole, world = load
    ours, theirs = rate(benchmark, whole, world, system), bare(world)
    against = f"a bare loop {theirs / 1e6:.2f} M, {theirs / ours:.1f} times as many"
    figure(
        f"{system}: {ours / 1e6:.2f} M events/s over {JOBS:,} jobs, {against}",
        value=ours, unit="events/s", least=least, beside=theirs,
    )  # fmt: skip


@pytest.mark.parametrize("system", ["sjf", "srtf"])
def test_twice_the_jobs(benchmark: Any, figure: Say, load: tuple[Scenario, World], system: str) -> None:
    whole, world = load
    half = scenario(JOBS // 2, NODES, 0.85)
    small = loop_of(half, world_of(half), system)
    began = time.process_time()
    small.run()
    half_s = time.process_time() - began
    rate(benchmark, whole, world, system)
    grown = benchmark.stats.stats.min / half_s
    figure(
        f"{system}: {grown:.2f}x the time for {JOBS:,} jobs instead of {JOBS // 2:,}", value=grown, unit="×", most=2.3
    )
