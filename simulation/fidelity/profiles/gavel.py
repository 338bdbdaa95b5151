"""stanford-futuredata/gavel, its simulator: measured throughputs on three types of GPU, rounds of 360 s."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from simulation.fidelity.profiles.gavel_allocations import Allocation, FifoFastest, FifoLastType, Isolated
from simulation.fidelity.profiles.gavel_loop import RoundLoop
from simulation.fidelity.profiles.gavel_max_min import MaxMin
from simulation.fidelity.profiles.gavel_policy import DeficitRounds, Measured, Rule
from simulation.fidelity.profiles.gavel_programs import FinishTime, LeastDuration, MostThroughput
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.results import Results, UnreadableError
from simulation.records import Floats
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload

KINDS = ("k80", "p100", "v100")  # alphabetical, and by the way the slowest first
NAMED = ("v100", "p100", "k80")  # in the order of the counts in a folder's name
THROUGHPUTS = "isolated-throughputs.json"
# columns of a trace
MODEL, STEPS, GANG, WEIGHT, ARRIVAL, COLUMNS = 0, 5, 6, 7, 9, 10

# folder -> trace; the folder's name goes on with the counts of GPUs
TRACES = {
    "small20": "small_test.trace",
    "mmf96": "max_min_fairness.trace",
    "mk100": "minimize_makespan.trace",
    "msr-103959-861": "msr-103959-861.trace.gz",
}
WITHOUT_RESULTS = "msr-103959-861_8-16-24"


@dataclass(frozen=True)
class Setting:
    allocation: Callable[[], Allocation]
    rule: Rule


SETTINGS: dict[str, Setting] = {
    "fifo_perf": Setting(FifoFastest, Rule(promised_only=True)),
    "fifo": Setting(FifoLastType, Rule(shuffled=True, promised_only=True)),
    "isolated": Setting(Isolated, Rule(shuffled=True)),
    "max_min_fairness": Setting(lambda: MaxMin(by_throughput=False), Rule(shuffled=True)),
    "max_min_fairness_perf": Setting(lambda: MaxMin(by_throughput=True), Rule()),
    "finish_time_fairness_perf": Setting(FinishTime, Rule()),
    "min_total_duration_perf": Setting(LeastDuration, Rule()),
    "max_sum_throughput_perf": Setting(MostThroughput, Rule()),
}
REPORTED = Agreement(each_job_s=None)  # a cone program there, whose middle is another
SAME_VALUE = Agreement(each_job_s=None, mean_jct=0.06)  # the last digits of its solver decide job by job


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    """One run; the work of a job is counted in steps, and the engine's speeds are steps/s."""
    if policy not in SETTINGS:
        raise ValueError(f"no settings for the policy {policy!r}")
    rows = _rows(inputs.trace)
    gpus = _gpus(inputs.cluster.name)
    jobs = JobTable(
        id=[str(i) for i, _ in enumerate(rows)],
        submit_s=[float(row[ARRIVAL]) for row in rows],
        duration_s=[float(row[STEPS]) for row in rows],
        gpus=[int(row[GANG]) for row in rows],
    )
    pools = [Pool(name=kind, gpu_model=kind, nodes=gpus[kind], gpus_per_node=1) for kind in KINDS]
    measured = Measured(
        _throughput(inputs.trace.parent / THROUGHPUTS, rows),
        np.array([gpus[kind] for kind in KINDS]),
        tuple(KINDS.index(kind) for kind in NAMED),
    )
    setting = SETTINGS[policy]
    return (
        Emulation(
            Scenario(cluster=Cluster(name=inputs.cluster.name, pools=pools), workload=Workload(jobs=jobs)),
            DeficitRounds(setting.allocation(), setting.rule, measured),
            loop=RoundLoop,
        ),
    )


def _rows(path: Path) -> list[list[str]]:
    """Lines of a trace as columns, in the order of arrival."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rows = [line.split("\t") for line in text.decode().splitlines()]
    for number, row in enumerate(rows, start=1):
        if len(row) != COLUMNS:
            raise UnreadableError(f"{path.name}, line {number}: {len(row)} columns, expected {COLUMNS}")
    if any(float(row[WEIGHT]) != 1.0 for row in rows):
        raise UnreadableError(f"{path.name}: expected jobs of weight 1")
    if any(float(a[ARRIVAL]) > float(b[ARRIVAL]) for a, b in pairwise(rows)):
        raise UnreadableError(f"{path.name}: expected jobs in the order of arrival")
    return rows


def _gpus(folder: str) -> dict[str, int]:
    """TRACE_V100-P100-K80 -> GPUs of each type."""
    counts = folder.rpartition("_")[2].split("-")
    if len(counts) != len(NAMED) or not all(count.isdigit() for count in counts):
        raise UnreadableError(f"folder {folder}: expected counts of {', '.join(NAMED)} after the last _")
    return dict(zip(NAMED, map(int, counts), strict=True))


def _throughput(path: Path, rows: list[list[str]]) -> Floats:
    """(jobs, types) steps/s of each job with its gang."""
    table = json.loads(path.read_text(encoding="utf-8"))
    keys = [f"('{row[MODEL]}', {row[GANG]})" for row in rows]
    for kind in KINDS:
        missing = set(keys) - set(table[kind])
        if missing:
            raise UnreadableError(f"{path.name}: no throughput of {min(missing)} on {kind}")
    return np.array([[table[kind][key] for kind in KINDS] for key in keys])


def _inputs(folder: Path) -> Inputs:
    name = folder.name.rpartition("_")[0]
    return Inputs(folder.parent / TRACES.get(name, f"{name}.trace"), folder)


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    inputs = _inputs(peer / WITHOUT_RESULTS)
    return [(WITHOUT_RESULTS, inputs)] if inputs.trace.is_file() else []


PROFILE = Profile(
    folder="gavel",
    inputs=_inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=Agreement(each_job_s=0.001),
    agreement={
        "max_min_fairness": SAME_VALUE,
        "max_min_fairness_perf": SAME_VALUE,
        "finish_time_fairness_perf": REPORTED,
        "min_total_duration_perf": SAME_VALUE,
        "max_sum_throughput_perf": SAME_VALUE,
    },
    policies_without_results=("fifo_perf",),  # isolated gives up two jobs of the long trace, as the peer does
    recorded_only={"gandiva": "pairs of jobs share GPUs there, which the rounds of this profile do not have"},
)
