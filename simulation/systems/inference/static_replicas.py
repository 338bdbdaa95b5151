"""Static replicas."""

from __future__ import annotations

from simulation.mechanisms.scaling import StaticReplicas
from simulation.systems.recipe import Recipe
from simulation.systems.system import System

SYSTEM = System(
    slug="static-replicas",
    name="Static replicas",
    title="A fixed number of replicas, sized once",
    workload="inference",
    objectives=("latency",),
    resources=("homogeneous",),
    description="Every service keeps the replicas that it starts with, whatever the traffic.",
    sources=("common practice",),
    recipe=Recipe(scaling=StaticReplicas()),
)
