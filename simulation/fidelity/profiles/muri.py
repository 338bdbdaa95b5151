"""Rivendile/Muri, its simulator: the lists of Tiresias on nodes, seconds with fractions, restarts that cost."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from simulation.fidelity.profiles import cluster_trace
from simulation.fidelity.profiles.list_loop import ListLoop
from simulation.fidelity.profiles.list_policy import ListPolicy
from simulation.fidelity.profiles.lists import CEILING_OF_LIMIT, JUMPS, ListSettings
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.results import Results, UnreadableError, numbers, read_table
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.scenario import Scenario, Workload

MILLISECOND = 1e-3
PROFILING = 1.015  # its iterations take so many times what was measured

# seconds that a restart costs with up to 1, 2, 4, 8, 16, 32 GPUs
GPUS = (1, 2, 4, 8, 16, 32)
OVERHEAD_S: dict[str, tuple[float, ...]] = {
    "vgg16": (7, 7, 8, 9, 9, 10),
    "vgg19": (7, 7, 8, 9, 10, 10),
    "resnet18": (4, 5, 5, 7, 7, 7),
    "shufflenet_v2_x1_0": (4, 4, 5, 5, 7, 8),
    "bert": (10,) * 6,
    "gpt2": (10,) * 6,
    "a2c": (38, 39, 39, 46, 46, 46),
    "dqn": (5, 5, 6, 6, 8, 8),
}

# policy in a file name -> lists down which emptied nodes are filled at every event
LISTS: dict[str, ListSettings] = {
    "shortest": ListSettings(rank="remaining"),
    "shortest-gpu": ListSettings(rank="remaining-gpu-time"),
    "dlas-gpu": ListSettings(jump=JUMPS[CEILING_OF_LIMIT]),
}


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    if policy not in LISTS:
        raise ValueError(f"no settings for the policy {policy!r}")
    rows = read_table(inputs.trace)
    iteration_s = numbers(inputs.trace, rows, "iteration_time") * MILLISECOND * PROFILING
    duration_s = numbers(inputs.trace, rows, "iterations") * iteration_s
    jobs = cluster_trace.read_jobs(inputs.trace, rows, duration_s.tolist(), MILLISECOND)
    scenario = Scenario(
        cluster=cluster_trace.read_cluster(inputs.cluster, one_switch_a_gang=True), workload=Workload(jobs=jobs)
    )
    models = [row["model_name"] for row in rows]
    overhead_s = {
        name: _overhead_s(inputs.trace, model, gpus)
        for name, model, gpus in zip(jobs.id, models, jobs.gpus, strict=True)
    }
    refilled = ListPolicy(LISTS[policy], ConsolidateStrictly(node="first"), moving=True)
    return (Emulation(scenario, refilled, loop=partial(ListLoop, overhead_s=overhead_s)),)


def _overhead_s(trace: Path, model: str, gpus: int) -> float:
    if model not in OVERHEAD_S:
        raise UnreadableError(f"{trace.name}: model {model!r}, expected one of {', '.join(OVERHEAD_S)}")
    place = min(int(np.searchsorted(GPUS, gpus)), len(GPUS) - 1)
    return float(OVERHEAD_S[model][place])


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    return cluster_trace.without_results(peer, "n8g8")


PROFILE = Profile(
    folder="muri",
    inputs=cluster_trace.inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=Agreement(each_job_s=MILLISECOND),
    policies_without_results=("shortest", "shortest-gpu"),
)
