"""One cache is warmed before workers fork: after that no run compiles anything, whatever happens in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

COUNT = """
import json, django
django.setup()
from numba.core import event
from planner.studies.runs.warmup import engine_warm

class Count(event.Listener):
    def __init__(self):
        self.names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

compiled = Count()
with event.install_listener("numba:compile", compiled):
    engine_warm()
    warmed = len(compiled.names)
    from simulation.run import run_records
    from tests.simulation.building import random_jobs, training
    from tests.simulation.engine.test_fused_equals_general import with_service
    from tests.simulation.properties.drawing import TRAINING, drawn
    for seed, system in enumerate(TRAINING * 2):
        run_records(drawn(seed, system))
    run_records(with_service(training(random_jobs(1, 10), "srtf")))
print(json.dumps([compiled.names[:warmed], compiled.names[warmed:]]))
"""


def compiled() -> tuple[list[str], list[str]]:
    """What a process compiles while it warms up, and afterwards."""
    run = subprocess.run(
        [sys.executable, "-c", COUNT], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "planner.config.settings"},
    )  # fmt: skip
    warming, later = json.loads(run.stdout)
    return warming, later


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="the compiler is switched off")
def test_nothing_is_compiled_after_the_warm_start_nor_at_the_next_one() -> None:
    _, later = compiled()
    assert later == []
    assert compiled() == ([], [])
