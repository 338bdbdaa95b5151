"""From an empty folder of kernels to a run of every system, and the same with a warm one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def test_cold_and_warm(benchmark: Any, figure: Callable[[str], None], tmp_path: Path) -> None:
    cold_s = benchmark.pedantic(seconds, args=(tmp_path,), rounds=1, iterations=1)
    figure(f"every system once, in a process of its own: {cold_s:.1f} s cold, {seconds(tmp_path):.1f} s warm")
