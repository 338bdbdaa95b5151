"""Equal scenario and seed give equal bytes: twice, compiled and plain."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

from simulation.fidelity.worked_example import traffic_rise
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Overheads, Sampling, Scenario
from tests.conftest import ROOT
from tests.simulation.building import TRAINING, pool, random_jobs, training


def digest(records: RunRecords) -> str:
    """Of every column of every record."""
    found = hashlib.sha256(repr(records.end_s).encode())
    for part in (records.jobs, records.job_spans, records.requests, records.replica_spans):
        for item in fields(part):
            value = getattr(part, item.name)
            found.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    found.update(json.dumps(records.decisions, sort_keys=True).encode())
    return found.hexdigest()


def scenario(system: str, seed: int = 3, n: int = 40) -> Scenario:
    return training(
        random_jobs(seed, n),
        system,
        [pool(2, 8), pool(2, 4, name="b", speed=2.0, gpu_model="A100")],
        overheads=Overheads(start_s=5, checkpoint_s=3, restart_s=7),
        sampling=Sampling(mode="resampled", demand_factor=1.5),
    )


@pytest.mark.parametrize("system", TRAINING)
def test_twice(system: str) -> None:
    assert digest(run_records(scenario(system), 5)) == digest(run_records(scenario(system), 5))
    assert digest(run_records(scenario(system), 5)) != digest(run_records(scenario(system), 6))


def digests() -> dict[str, str]:
    found = {system: digest(run_records(scenario(system))) for system in TRAINING}
    rise = traffic_rise("shrinks-and-regrows")
    return found | {"services": digest(run_records(rise.model_copy(update={"horizon_s": 1400.0})))}


def test_compiled_equals_plain() -> None:
    """The same functions with the compiler switched off, in a process of their own."""
    code = "import json; from tests.simulation.engine.test_same_bits import digests; print(json.dumps(digests()))"
    plain = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert json.loads(plain.stdout) == digests()
