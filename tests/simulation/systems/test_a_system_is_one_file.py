"""A system more is one new file and one line of the registry; the command line then lists it and runs its signature."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import simulation

NEW = '''
"""Least GPU-time first."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import Shortest
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="least-work", name="Least work", title="Least GPU-time first", workload="training", objectives=("jct",),
    resources=("homogeneous",), description="The job with the least GPU-time starts.", sources=("none",),
    recipe=Recipe(
        ordering=Shortest(by_gpu_time=True), walk=FitFirst(), placement=ConsolidateStrictly(),
        preemption=NoPreemption(), sizing=FixedGang(), tenancy=NoQuota(),
    ),
    signature=Signature(
        title="Little work first", workload="one machine", source="none",
        experiment=partial(heavy_tailed, load=1.0, nodes=1, gpus_per_node=1, gangs={1: 1.0}, jobs=60, days=1.0),
        baseline="fcfs-quota", effect=Effect(MEAN_JCT, "lower"), deciding="ordering",
    ),
)
'''
IMPORT = "from simulation.systems.training import (\n"
LAST = "        utilisation_autoscaler.SYSTEM,\n"


def command(checkout: Path, *arguments: str) -> str:
    """Without the compiler: a copy would be compiled anew."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-m", "simulation", *arguments],
        cwd=checkout, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_file_and_one_line(tmp_path: Path) -> None:
    shutil.copytree(simulation.__path__[0], tmp_path / "simulation", ignore=shutil.ignore_patterns("__pycache__"))
    systems = tmp_path / "simulation" / "systems"
    (systems / "training" / "least_work.py").write_text(NEW.lstrip())
    registry = (systems / "registry.py").read_text()
    assert registry.count(LAST) == 1
    (systems / "registry.py").write_text(
        registry.replace(IMPORT, f"{IMPORT}    least_work,\n").replace(LAST, f"{LAST}        least_work.SYSTEM,\n")
    )
    listed = json.loads(command(tmp_path, "systems", "--json"))
    assert listed[-1]["slug"] == "least-work"
    assert listed[-1]["recipe"]["ordering"]["member"] == "shortest"
    result = json.loads(command(tmp_path, "signature", "least-work", "--seeds", "4", "--json"))
    assert (result["shown"], result["shown_when_ablated"]) == (True, False)
