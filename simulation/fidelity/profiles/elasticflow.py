"""pkusys/ElasticFlow, its simulator: deadlines, elastic jobs with measured speeds, one event a minute at most."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from simulation.fidelity.profiles import cluster_trace
from simulation.fidelity.profiles.elastic_deadlines import EarliestDeadline
from simulation.fidelity.profiles.elastic_jobs import ElasticJob, ladder
from simulation.fidelity.profiles.elastic_shares import MinimumShares
from simulation.fidelity.profiles.foretold import Foretold, ForetoldLoop, Schedule
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.profiles.slotted_queues import GangJob, ServiceQueues
from simulation.fidelity.profiles.throughputs import Speeds, kind_with, read_speeds
from simulation.fidelity.results import Results, UnreadableError, numbers, read_table
from simulation.scenario import Cluster, JobTable, Scenario, Workload

TRACES = {"elasticVpollux": "elasticVpollux_e"}  # folders TRACE-CLUSTER-KIND that shorten the name of the trace
MOST_GPUS = 64
# seconds that a group of n GPUs takes to form: BASE + STEP (log2 n + 1), RESTART more where all are restarted
BASE_S, STEP_S, RESTART_S = 2, 2, 27
DEADLINES = 3  # of those met: how many more or fewer agree

# kind of GPU -> (model, batch or "" for any) -> the most GPUs that minimum shares give it; other jobs: 64, on A100 also
# no more than the batch
MOST_USEFUL: dict[str, dict[tuple[str, str], int]] = {
    "T4": {("bert", ""): 16, ("cifar10", ""): 16, ("deepspeech2", "320"): 32, ("yolov3", ""): 4, ("ncf", ""): 1},
    "A100": {
        ("gpt2", "128"): 16, ("gpt2", "256"): 32, ("bert", "64"): 8, ("bert", ""): 16, ("inception3", "64"): 16,
        ("inception3", "128"): 32, ("resnet50", "64"): 32, ("vgg16", "64"): 32,
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trace:
    """Rows of a trace in the order of arrival, on GPUs of one kind."""

    path: Path
    rows: list[dict[str, str]]
    speeds: list[Speeds]
    kind: str
    gpus: int

    def elastic(self, most: Callable[[Trace, int], int]) -> list[ElasticJob]:
        names = ("submit_time", "iteration", "ddl")
        at_s, work, due_s = (numbers(self.path, self.rows, name).tolist() for name in names)
        return [
            ElasticJob(i, at_s[i], work[i], due_s[i], speeds, ladder(speeds, most(self, i), self.gpus))
            for i, speeds in enumerate(self.speeds)
        ]


def most_measured(trace: Trace, job: int) -> int:
    return min(MOST_GPUS, int(trace.rows[job]["batch_size"]), max(trace.speeds[job]))


def most_useful(trace: Trace, job: int) -> int:
    model, batch = trace.rows[job]["model_name"], trace.rows[job]["batch_size"]
    table = MOST_USEFUL.get(trace.kind, {})
    otherwise = MOST_GPUS if trace.kind == "T4" else min(MOST_GPUS, int(batch))
    return table.get((model, batch), table.get((model, ""), otherwise))


def forming_s(gpus: int, restarting: bool, known: bool = False) -> float:
    """A group of GPUs that is known has only to be woken."""
    return BASE_S if known else BASE_S + RESTART_S * restarting + STEP_S * (math.log2(gpus) + 1)


def _edf(trace: Trace) -> Schedule:
    return EarliestDeadline(trace.elastic(most_measured), trace.gpus)


def _minimum_shares(trace: Trace) -> Schedule:
    return MinimumShares(trace.elastic(most_useful), trace.gpus, forming_s)


def _queues(trace: Trace) -> Schedule:
    columns = (numbers(trace.path, trace.rows, name).tolist() for name in ("submit_time", "duration", "num_gpu"))
    jobs = [GangJob(i, at, int(for_s), int(gpus)) for i, (at, for_s, gpus) in enumerate(zip(*columns, strict=True))]
    return ServiceQueues(jobs, trace.gpus, forming_s)


# policy in a file name -> what is foretold at every event
SCHEDULES: dict[str, Callable[[Trace], Schedule]] = {
    "edf": _edf,
    "dlas-gpu": _queues,
    "ef-accessctrl": _minimum_shares,
}


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    if policy not in SCHEDULES:
        raise ValueError(f"no settings for the policy {policy!r}")
    cluster = cluster_trace.read_cluster(inputs.cluster, one_switch_a_gang=False)
    trace = _trace(inputs, cluster)
    scenario = Scenario(cluster=cluster, workload=Workload(jobs=_jobs(trace)))
    return (Emulation(scenario, Foretold(SCHEDULES[policy](trace)), loop=ForetoldLoop),)


def _trace(inputs: Inputs, cluster: Cluster) -> Trace:
    """Throughputs are those of the kind that the folder of results names, or that has all models of the trace."""
    path = inputs.trace
    rows = sorted(read_table(path), key=lambda row: float(row["submit_time"]))
    jobs = [(row["model_name"], row["batch_size"]) for row in rows]
    kind = inputs.variant or kind_with(path.parent, jobs)
    gpus = sum(pool.nodes * pool.gpus_per_node for pool in cluster.pools)
    return Trace(path, rows, read_speeds(path.parent, kind, jobs), kind, gpus)


def _jobs(trace: Trace) -> JobTable:
    columns = {name: numbers(trace.path, trace.rows, name).tolist() for name in ("submit_time", "duration", "ddl")}
    count = len(trace.rows)
    return JobTable(
        id=[row["job_id"] for row in trace.rows],
        submit_s=columns["submit_time"],
        duration_s=columns["duration"],
        gpus=[int(gpus) for gpus in numbers(trace.path, trace.rows, "num_gpu")],
        gpus_min=[1] * count,
        gpus_max=[MOST_GPUS] * count,
        deadline_s=columns["ddl"],
    )


def _inputs(folder: Path) -> Inputs:
    """TRACE-CLUSTER-KIND, where no name has a hyphen."""
    parts = folder.name.split("-")
    if len(parts) != 3:
        raise UnreadableError(f"folder {folder.name}: expected TRACE-CLUSTER-KIND")
    trace, cluster, kind = parts
    return Inputs(folder.parent / f"{TRACES.get(trace, trace)}.csv", folder.parent / f"{cluster}.csv", kind)


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    recorded = {_inputs(path.parent).trace for path in peer.glob("*/results-*.csv")}
    return [(name, inputs) for name, inputs in cluster_trace.every_trace(peer, "n16g4") if inputs.trace not in recorded]


EXACTLY = Agreement(each_job_s=0.0, deadlines=DEADLINES)
PROFILE = Profile(
    folder="elasticflow",
    inputs=_inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=EXACTLY,
    agreement={"dlas-gpu": Agreement(each_job_s=0.0, preemptions=True, deadlines=DEADLINES)},  # the others count none
    policies_without_results=("edf", "dlas-gpu"),  # minimum shares decline jobs
)
