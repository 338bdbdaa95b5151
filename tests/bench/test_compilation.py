"""From an empty folder of kernels to a run of every system, and the same with a warm one."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.conftest import Say
from tests.conftest import ROOT

RUN = """
import sys
from simulation.run import run_records
from simulation.scenario import Choice
from simulation.systems.registry import SYSTEMS
from tests.simulation.engine.test_fused_equals_general import with_service
from tests.simulation.building import random_jobs, training
for slug in sys.argv[1:] or SYSTEMS:
    part = "training" if SYSTEMS[slug].workload == "training" else "serving"
    run_records(with_service(training(random_jobs(1, 30, widest=2))).model_copy(update={part: Choice(system=slug)}))
"""


def cpu_s(cache: Path, *systems: str) -> float:
    """User and system CPU seconds of a process that runs each system once (none named: all): others may compute too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-c", RUN, *systems], check=True, cwd=ROOT, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_cold_and_warm(benchmark: Any, figure: Say, tmp_path: Path) -> None:
    cold_s = benchmark.pedantic(cpu_s, args=(tmp_path,), rounds=1, iterations=1)
    every_s = min(cpu_s(tmp_path) for _ in range(2))
    one_s = min(cpu_s(tmp_path, "sjf") for _ in range(2))
    every = "every system once, in a process of its own"
    figure(f"{every}, from an empty folder of kernels: {cold_s:.1f} s of CPU", value=cold_s, unit="s", most=60)
    figure(f"{every}, with the kernels there: {every_s:.1f} s of CPU", value=every_s, unit="s")
    figure(f"a process that starts with the kernels there, and runs one system: {one_s:.1f} s of CPU",
           value=one_s, unit="s", most=2)  # fmt: skip
