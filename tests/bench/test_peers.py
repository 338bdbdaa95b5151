"""Runs of public simulators, the same semantics here: their CPU seconds (whole process) over ours.

Ours twice: from the files of the trace to the records, with kernels loaded; and the whole process, of which about a
second of CPU is imports.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from simulation.fidelity.discovery import Case, discover
from tests.bench.conftest import Say
from tests.conftest import ROOT

pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too
INDEX = "index-training.csv"

# The case whose inputs are taken, the policy, the CPU seconds of the peer (None: in the index), how many times as fast
# is asked. The long traces come without results and are not in the index: the seconds are those of the peers on them.
RUNS = [
    ("tiresias/philly_trace2-n8g8/fifo-yarn", "fifo-yarn", 19.0, 100),
    ("tiresias/philly_trace2-n8g8/shortest-count", "shortest-count", 50.0, 100),
    ("tiresias/philly_trace2-n8g8/dlas-gpu-count", "dlas-gpu-count", 65.0, 100),
    ("lucid/P1VC/fifo", "fifo", None, 100),
    ("gavel/msr-103959-861_8-16-24/fifo_perf", "fifo_perf", 24.0, 50),
    ("gavel/msr-103959-861_8-16-24/fifo_perf", "max_min_fairness_perf", 32.0, 5),
]
ONE = """
import sys
from pathlib import Path
from simulation.fidelity.discovery import discover
from simulation.fidelity.emulation import emulate
reference, name, policy = sys.argv[1:]
case = next(case for case in discover(Path(reference)) if case.name == name)
for part in case.profile.emulate(case.inputs, policy, None):
    emulate(part)
"""


@pytest.fixture(scope="module")
def cases(shared_dir: Path) -> dict[str, Case]:
    return {case.name: case for case in discover(shared_dir / "reference")}


def in_process(case: Case, policy: str) -> None:
    from simulation.fidelity.emulation import emulate

    for part in case.profile.emulate(case.inputs, policy, None):
        emulate(part)


def whole_process_s(reference: Path, name: str, policy: str) -> float:
    """User and system CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", ONE, str(reference), name, policy], check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(("name", "policy", "their_s", "least"), RUNS)
def test_as_a_peer(
    benchmark: Any, figure: Say, shared_dir: Path, cases: dict[str, Case], name: str, policy: str,
    their_s: float | None, least: float,
) -> None:  # fmt: skip
    if name not in cases:
        pytest.skip(f"{name} is not among the reference runs")
    their_s = their_s or cases[name].their_cpu_s
    assert their_s is not None, f"no CPU seconds of {name} in {INDEX}"
    benchmark.pedantic(in_process, args=(cases[name], policy), rounds=2, iterations=1, warmup_rounds=1)
    ours_s = float(benchmark.stats.stats.min)
    whole_s = min(whole_process_s(shared_dir / "reference", name, policy) for _ in range(2))
    run = f"{name.rpartition('/')[0]}/{policy}"
    figure(
        f"{run}: they {their_s:.0f} s of CPU, ours from files to records {ours_s:.3f} s, {their_s / ours_s:.0f} times "
        "as fast",
        value=their_s / ours_s, unit="×", least=least,
    )  # fmt: skip
    figure(
        f"{run}: our whole process with imports {whole_s:.2f} s, {their_s / whole_s:.0f} times as fast",
        value=whole_s, unit="s", beside=their_s,
    )  # fmt: skip
