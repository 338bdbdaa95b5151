"""Decisions a second where every decision is asked of the policy in Python."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.bench.conftest import Say
from tests.bench.loads import loop_of, scenario, world_of

pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too


@pytest.mark.parametrize(("active", "nodes", "least"), [(100, 12, 20_000), (1000, 120, 10_000)])
@pytest.mark.parametrize("system", ["fcfs-quota", "sjf", "srtf", "tiresias", "fcfs-backfill", "fair-share"])
def test_decisions_a_second(benchmark: Any, figure: Say, system: str, active: int, nodes: int, least: int) -> None:
    whole = scenario(3_000, nodes, 1.0, gangs=(1,))
    world, loops = world_of(whole), []
    loop_of(whole, world, system, compiled=False).run()  # compiles

    def fresh() -> None:
        loops.append(loop_of(whole, world, system, compiled=False))

    benchmark.pedantic(lambda: loops[-1].run(), setup=fresh, rounds=3, iterations=1)
    decisions = loops[-1].counts["decisions"] / benchmark.stats.stats.min
    figure(
        f"general path, {system}: {decisions:,.0f} decisions/s with about {active:,} active jobs",
        value=decisions, unit="decisions/s", least=least,
    )  # fmt: skip
