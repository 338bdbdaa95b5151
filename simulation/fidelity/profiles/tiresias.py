"""SymbioticLab/Tiresias, its simulator: whole seconds, nothing costs anything, placement never changes speed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from simulation.engine.loop import Loop
from simulation.fidelity.profiles import cluster_trace
from simulation.fidelity.profiles.listed import Resorted
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.profiles.queued import QueuedLists
from simulation.fidelity.profiles.stale import StaleCompletions
from simulation.fidelity.results import Results, numbers, read_table
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly, Placement, TakeAny
from simulation.mechanisms.preemption import Immediate, NoPreemption
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
# at every event the cluster is filled anew in the order of a list
REFILL = replace(FIFO, walk=FitFirst(), preemption=Immediate())

# policy in a file name -> recipe, but for the placement
RECIPES: dict[str, Recipe] = {
    "fifo": FIFO,
    "fjf": replace(FIFO, walk=FitFirst()),
    "sjf": replace(REFILL, ordering=Resorted("gpus")),
    "shortest": replace(REFILL, ordering=Resorted("remaining")),
    "shortest-gpu": replace(REFILL, ordering=Resorted("remaining-gpu-time")),
    "dlas": replace(REFILL, ordering=QueuedLists(service="time")),
    "dlas-gpu": replace(REFILL, ordering=QueuedLists()),
}
PROMOTING = re.compile(r"dlas-gpu-(\d+)")  # the number: how many times what it ran a job may wait
RANKED = "dlas-gpu-gittins"
SAMPLE = "yarn-gput1000.csv"


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    """A policy with its placement, as file names say them: "fifo-yarn"."""
    name, _, scheme = policy.rpartition("-")
    if scheme not in PLACEMENTS:
        raise ValueError(f"no placement for the scheme {scheme!r}")
    recipe = replace(_recipe(name, inputs.trace.parent), placement=PLACEMENTS[scheme])
    rows = read_table(inputs.trace)
    duration_s = numbers(inputs.trace, rows, "duration").tolist()
    scenario = Scenario(
        cluster=cluster_trace.read_cluster(inputs.cluster, one_switch_a_gang=scheme == "yarn"),
        workload=Workload(jobs=cluster_trace.read_jobs(inputs.trace, rows, duration_s, 1.0)),
    )
    loop = StaleCompletions if isinstance(recipe.ordering, QueuedLists) else Loop
    return (Emulation(scenario, RecipePolicy(recipe), loop=loop),)


def _recipe(name: str, peer: Path) -> Recipe:
    """Raises ValueError where the policy is not known."""
    if name in RECIPES:
        return RECIPES[name]
    if name == RANKED:
        sample = numbers(peer / SAMPLE, read_table(peer / SAMPLE), "duration")
        return replace(REFILL, ordering=QueuedLists(gittins_gpu_s=tuple(sorted(sample.tolist()))))
    if promoting := PROMOTING.fullmatch(name):
        return replace(REFILL, ordering=QueuedLists(promote=float(promoting[1])))
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
