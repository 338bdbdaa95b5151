"""Shortest job first."""

from __future__ import annotations

from simulation.mechanisms.ordering import Shortest
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.systems.recipe import Recipe
from simulation.systems.system import System

SYSTEM = System(
    slug="sjf",
    name="Shortest job first",
    title="Shortest job first, without preemption",
    workload="training",
    objectives=("jct",),
    resources=("homogeneous", "topology"),
    description=(
        "Of the jobs that wait, the one with the shortest run time that fits starts. By default it knows true "
        "durations (an oracle, and marked as such); it can be told to use the user's estimates instead."
    ),
    sources=("Conway, Maxwell and Miller, Theory of Scheduling, 1967",),
    recipe=Recipe(
        ordering=Shortest(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    year=1967,
)
