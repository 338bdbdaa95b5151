"""Fused runs against bare loops that do the same work, and how time and memory grow with the number of jobs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulation.scenario import Scenario
from simulation.world.build import World
from tests.bench import yardstick
from tests.bench.conftest import Say
from tests.bench.loads import loop_of, scenario, world_of
from tests.conftest import ROOT

JOBS, NODES, LOAD = 1_000_000, 16, 0.85
MANY = 3_200_000
pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too
Bare = Callable[[World, int], int]  # of the first jobs: how many events

ALONE = """
import json, time
from pathlib import Path
from simulation.engine.recording import records_of
from tests.bench.loads import loop_of, scenario, world_of
small = scenario(1000, {nodes}, {load})
records_of(ran) if (ran := loop_of(small, world_of(small), "sjf")).run() is None else None
whole = scenario({jobs}, {nodes}, {load})
loop = loop_of(whole, world_of(whole), "sjf")
began_s = time.process_time()
loop.run()
loop_s = time.process_time() - began_s
records_of(loop)
both_s = time.process_time() - began_s
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps([loop_s, both_s, int(peak.split()[1]) * 1024 / 1e9]))
"""


@pytest.fixture(scope="module")
def load() -> tuple[Scenario, World]:
    whole = scenario(JOBS, NODES, LOAD)
    return whole, world_of(whole)


def bare(key: Callable[[World], np.ndarray], *, by_gang: bool) -> Bare:
    def events(world: World, n: int) -> int:
        jobs = world.jobs
        bench = yardstick.make_bench(jobs.gang[:n], world.nodes.size, by_gang)
        columns = jobs.submit_s[:n], jobs.duration_s[:n], jobs.gang[:n], key(world)[:n]
        return int(yardstick.without_preemption(*columns, bench))

    return events


def bare_preemptive(world: World, n: int) -> int:
    jobs = world.jobs
    bench = yardstick.make_bench(jobs.gang[:n], world.nodes.size, by_gang=False)
    left_s, active = jobs.duration_s[:n].copy(), np.zeros(n, np.int64)
    return int(yardstick.with_preemption(jobs.submit_s[:n], jobs.gang[:n], left_s, active, bench))


def bare_rate(events_of: Bare, world: World) -> float:
    """Events a second, the best of two."""
    events_of(world, 9)  # compiles
    taken_s = []
    for _ in range(2):
        began_s = time.process_time()
        events = events_of(world, len(world.jobs))
        taken_s.append(time.process_time() - began_s)
    return events / min(taken_s)


def rate(benchmark: Any, whole: Scenario, world: World, system: str) -> float:
    """Events (arrivals, ends, preemptions) a second of the best round."""
    loops: list[Any] = []
    small = scenario(1000, NODES, LOAD)
    loop_of(small, world_of(small), system).run()  # compiles

    def fresh() -> None:
        loops[:] = [loop_of(whole, world, system)]

    benchmark.pedantic(lambda: loops[-1].run(), setup=fresh, rounds=3, iterations=1)
    events = 2 * len(world.jobs) + int(loops[-1].ledger.preemptions.sum())
    return events / float(benchmark.stats.stats.min)


BY_ARRIVAL = bare(lambda world: world.jobs.submit_s, by_gang=False)
BY_LENGTH = bare(lambda world: world.jobs.duration_s, by_gang=True)


@pytest.mark.parametrize(
    ("system", "events_of", "least"),
    [("fcfs-quota", BY_ARRIVAL, 5e6), ("sjf", BY_LENGTH, 5e6), ("srtf", bare_preemptive, 0.5e6),
     ("tiresias", bare_preemptive, 0.5e6)],
)  # fmt: skip
def test_events_a_second(
    benchmark: Any, figure: Say, load: tuple[Scenario, World], system: str, events_of: Bare, least: float
) -> None:
    whole, world = load
    ours, theirs = rate(benchmark, whole, world, system), bare_rate(events_of, world)
    against = f"a bare loop {theirs / 1e6:.2f} M, {theirs / ours:.1f} times as many"
    figure(
        f"{system}: {ours / 1e6:.2f} M events/s over {JOBS:,} jobs, {against}",
        value=ours, unit="events/s", least=least, beside=theirs,
    )  # fmt: skip


@pytest.mark.parametrize("system", ["sjf", "srtf"])
def test_twice_the_jobs(benchmark: Any, figure: Say, load: tuple[Scenario, World], system: str) -> None:
    whole, world = load
    half = scenario(JOBS // 2, NODES, LOAD)
    half_world, taken_s = world_of(half), []
    rate(benchmark, whole, world, system)
    for _ in range(3):
        small = loop_of(half, half_world, system)
        began_s = time.process_time()
        small.run()
        taken_s.append(time.process_time() - began_s)
    grown = benchmark.stats.stats.min / min(taken_s)
    figure(
        f"{system}: {grown:.2f}x the time for {JOBS:,} jobs instead of {JOBS // 2:,}", value=grown, unit="×", most=2.3
    )


def alone() -> tuple[float, float, float]:
    code = ALONE.format(jobs=MANY, nodes=NODES, load=LOAD)
    told = subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True)
    loop_s, both_s, gigabytes = json.loads(told.stdout)
    return loop_s, both_s, gigabytes


def test_millions_of_jobs(benchmark: Any, figure: Say) -> None:
    """In a process of its own, for the second time, when nothing is compiled: the memory is that of everything."""
    loop_s, both_s, gigabytes = benchmark.pedantic(alone, rounds=1, warmup_rounds=1, iterations=1)
    figure(f"sjf, {MANY:,} jobs: the loop {loop_s:.2f} s", value=loop_s, unit="s")
    figure(f"sjf, {MANY:,} jobs: loop and records {both_s:.1f} s", value=both_s, unit="s", most=10)
    figure(
        f"sjf, {MANY:,} jobs: at most {gigabytes:.2f} GB in memory, all included", value=gigabytes, unit="GB", most=2
    )
