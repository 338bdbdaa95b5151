"""From an empty folder of kernels to a run of every system, and the same with a warm one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench.conftest import Say
from tests.conftest import ROOT

EVERYTHING = """
from simulation.run import run_records
from simulation.scenario import Choice
from simulation.systems.registry import SYSTEMS
from tests.simulation.engine.test_fused_equals_general import with_service
from tests.simulation.building import random_jobs, training
for slug, system in SYSTEMS.items():
    part = "training" if system.workload == "training" else "serving"
    run_records(with_service(training(random_jobs(1, 30, widest=2))).model_copy(update={part: Choice(system=slug)}))
"""


def seconds(cache: Path) -> float:
    began = time.perf_counter()
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-c", EVERYTHING], check=True, cwd=ROOT, env=environment)
    return time.perf_counter() - began


def test_cold_and_warm(benchmark: Any, figure: Say, tmp_path: Path) -> None:
    cold_s = benchmark.pedantic(seconds, args=(tmp_path,), rounds=1, iterations=1)
    warm_s = seconds(tmp_path)
    every = "every system once, in a process of its own"
    figure(f"{every}, from an empty folder of kernels: {cold_s:.1f} s", value=cold_s, unit="s", most=60)
    figure(f"{every}, warm: {warm_s:.1f} s", value=warm_s, unit="s", most=2)
