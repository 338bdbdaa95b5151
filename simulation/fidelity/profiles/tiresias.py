"""SymbioticLab/Tiresias, its simulator: whole seconds, nothing costs anything, placement never changes speed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from simulation.fidelity.profiles import cluster_trace
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
RECIPES: dict[str, Recipe] = {
    "fifo": FIFO,
    "fjf": replace(FIFO, walk=FitFirst()),
}


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    """A policy with its placement, as file names say them: "fifo-yarn"."""
    name, _, scheme = policy.rpartition("-")
    if name not in RECIPES or scheme not in PLACEMENTS:
        raise ValueError(f"no settings for the policy {policy!r}")
    recipe = replace(RECIPES[name], placement=PLACEMENTS[scheme])
    rows = read_table(inputs.trace)
    duration_s = numbers(inputs.trace, rows, "duration").tolist()
    scenario = Scenario(
        cluster=cluster_trace.read_cluster(inputs.cluster, one_switch_a_gang=scheme == "yarn"),
        workload=Workload(jobs=cluster_trace.read_jobs(inputs.trace, rows, duration_s, 1.0)),
    )
    return (Emulation(scenario, RecipePolicy(recipe)),)


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    return cluster_trace.without_results(peer, "n8g8")


PROFILE = Profile(
    folder="tiresias",
    inputs=cluster_trace.inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=Agreement(each_job_s=0.0, preemptions=True),
    policies_without_results=("fifo-yarn",),
)
