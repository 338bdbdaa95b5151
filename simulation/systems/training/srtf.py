"""Shortest remaining time first."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import ShortestRemaining
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="srtf",
    name="Shortest remaining time",
    title="Shortest remaining time first, with preemption",
    workload="training",
    objectives=("jct",),
    resources=("homogeneous", "topology", "preemption"),
    description=(
        "At every arrival and end the jobs with the least work left run, and take GPUs from jobs with more. On one "
        "machine and without overheads no policy has a lower mean completion time. It knows true durations: an oracle."
    ),
    sources=("Schrage, A proof of the optimality of the shortest remaining processing time discipline, 1968",),
    recipe=Recipe(
        ordering=ShortestRemaining(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
        preemption=Immediate(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    venue="Operations Research",
    year=1968,
    signature=Signature(
        title="Taking the machine from a longer job shortens the mean",
        workload="one machine, one-GPU jobs, Philly-like run times, load 0.8",
        source="Schrage 1968: no discipline has a lower mean on one machine",
        experiment=partial(heavy_tailed, load=0.8, nodes=1, gpus_per_node=1, gangs={1: 1.0}),
        baseline="sjf",
        effect=Effect(MEAN_JCT, "lower"),
        deciding="preemption",
    ),
)
