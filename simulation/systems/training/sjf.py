"""Shortest job first."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import Shortest
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
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
    signature=Signature(
        title="Short jobs first shortens the mean",
        workload="one machine, one-GPU jobs, Philly-like run times, load 0.8",
        source="Conway, Maxwell and Miller 1967: least mean flow time on one machine",
        experiment=partial(heavy_tailed, load=0.8, nodes=1, gpus_per_node=1, gangs={1: 1.0}),
        baseline="fcfs-quota",
        effect=Effect(MEAN_JCT, "lower"),
        deciding="ordering",
    ),
)
