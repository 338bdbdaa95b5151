"""Workloads of any length at one load, and the loop alone: without building the world, records or metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulation.engine.loop import Loop
from simulation.mechanisms.scaling import StaticReplicas
from simulation.run import entitlements
from simulation.scenario import Choice, Cluster, JobTable, Pool, Scenario, Workload
from simulation.systems.policy import RecipePolicy
from simulation.systems.registry import recipe_for
from simulation.world.build import World, build_world

GANGS = (1, 1, 1, 1, 2, 4, 8)


def scenario(jobs: int, nodes: int, load: float, gangs: tuple[int, ...] = GANGS, seed: int = 0) -> Scenario:
    """`jobs` with exponential gaps and log-normal run times that ask for `load` of nodes of 8 GPUs."""
    rng = np.random.default_rng(seed)
    gpus = rng.choice(gangs, jobs)
    duration_s = rng.lognormal(5.0, 1.2, jobs)
    gap_s = float((gpus * duration_s).mean()) / (8 * nodes * load)
    table = JobTable(
        id=[str(i) for i in range(jobs)],
        submit_s=np.cumsum(rng.exponential(gap_s, jobs)).tolist(),
        duration_s=duration_s.tolist(),
        gpus=gpus.tolist(),
    )
    return Scenario(
        cluster=Cluster(pools=[Pool(name="a", gpu_model="V100", nodes=nodes, gpus_per_node=8)]),
        workload=Workload(jobs=table),
    )


def world_of(whole: Scenario) -> World:
    return build_world(whole, 0)


def loop_of(whole: Scenario, world: World, system: str, *, compiled: bool = True, **parameters: Any) -> Loop:
    """A loop that has not begun."""
    choice = Choice(system=system, parameters={key.replace("__", "."): v for key, v in parameters.items()})
    recipe = recipe_for(choice.system, choice.parameters, "training")
    shares = entitlements(world.jobs.tenants, whole.quotas)
    return Loop(
        world, whole.overheads, RecipePolicy(recipe, compiled), recipe.information, shares, StaticReplicas()
    )  # fmt: skip
