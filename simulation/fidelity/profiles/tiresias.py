"""SymbioticLab/Tiresias, its simulator: whole seconds, nothing costs anything, placement never changes speed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from simulation.fidelity.profiles import cluster_trace
from simulation.fidelity.profiles.list_loop import ListLoop
from simulation.fidelity.profiles.list_policy import ListPolicy
from simulation.fidelity.profiles.lists import ListSettings
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.results import Results, numbers, read_table
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly, Placement, TakeAny
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst, StopAtHead
from simulation.scenario import Scenario, Workload
from simulation.systems.policy import RecipePolicy
from simulation.systems.recipe import Recipe

# scheme in a file name -> placement: one pool of GPUs, or nodes first fit inside one switch
PLACEMENTS: dict[str, Placement] = {"count": TakeAny(), "yarn": ConsolidateStrictly(node="first")}

FIFO = Recipe(
    ordering=Arrival(), walk=StopAtHead(), preemption=NoPreemption(), sizing=FixedGang(), tenancy=NoQuota()
)  # fmt: skip
# policy in a file name -> recipe, but for the placement
RECIPES: dict[str, Recipe] = {"fifo": FIFO, "fjf": replace(FIFO, walk=FitFirst())}
# policy in a file name -> lists down which the cluster is dealt out at every event; it ignores the placement scheme
LISTS: dict[str, ListSettings] = {
    "sjf": ListSettings(rank="gpus"),
    "shortest": ListSettings(rank="remaining"),
    "shortest-gpu": ListSettings(rank="remaining-gpu-time"),
    "dlas": ListSettings(by_gpu_time=False),
    "dlas-gpu": ListSettings(),
}
PROMOTING = re.compile(r"dlas-gpu-(\d+)")  # the number: how many times what it ran a job may wait
RANKED, SAMPLE = "dlas-gpu-gittins", "yarn-gput1000.csv"


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    """A policy with its placement, as file names say them: "fifo-yarn"."""
    name, _, scheme = policy.rpartition("-")
    if scheme not in PLACEMENTS:
        raise ValueError(f"no placement for the scheme {scheme!r}")
    rows = read_table(inputs.trace)
    duration_s = numbers(inputs.trace, rows, "duration").tolist()
    scenario = Scenario(
        cluster=cluster_trace.read_cluster(inputs.cluster, one_switch_a_gang=scheme == "yarn"),
        workload=Workload(jobs=cluster_trace.read_jobs(inputs.trace, rows, duration_s, 1.0)),
    )
    if name in RECIPES:
        return (Emulation(scenario, RecipePolicy(replace(RECIPES[name], placement=PLACEMENTS[scheme]))),)
    dealt = ListPolicy(_lists(name, inputs.trace.parent), PLACEMENTS["count"], moving=False)
    return (Emulation(scenario, dealt, loop=partial(ListLoop, stale_completions=True)),)


def _lists(name: str, peer: Path) -> ListSettings:
    """Raises ValueError where the policy is not known."""
    if name in LISTS:
        return LISTS[name]
    if name == RANKED:
        sample = numbers(peer / SAMPLE, read_table(peer / SAMPLE), "duration")
        return ListSettings(sample_gpu_s=tuple(sorted(sample.tolist())))
    if promoting := PROMOTING.fullmatch(name):
        return ListSettings(promote=float(promoting[1]))
    raise ValueError(f"no settings for the policy {name!r}")


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    return cluster_trace.without_results(peer, "n8g8")


PROFILE = Profile(
    folder="tiresias",
    inputs=cluster_trace.inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=Agreement(each_job_s=0.0, preemptions=True),
    policies_without_results=("fifo-yarn", "shortest-count", "dlas-gpu-count"),
)
