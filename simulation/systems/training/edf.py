"""Earliest deadline first."""

from __future__ import annotations

from functools import partial

from simulation.generators.elastic import deadlines
from simulation.mechanisms.ordering import EarliestDeadline
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import DEADLINES_MET
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="edf",
    name="Earliest deadline first",
    title="Earliest deadline first, preemptive, with the gang asked for",
    workload="training",
    objectives=("deadline",),
    resources=("homogeneous", "topology", "preemption"),
    description=(
        "The job whose deadline is nearest runs, and takes GPUs from jobs that are due later. Jobs without a deadline "
        "come last. Nobody is declined: under overload jobs go on after their deadlines and make others late."
    ),
    sources=("Liu and Layland, Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment, 1973",),
    recipe=Recipe(
        ordering=EarliestDeadline(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
        preemption=Immediate(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    year=1973,
    signature=Signature(
        title="More deadlines are met than first come, first served meets",
        workload="one tenant, 32 GPUs, jobs of 8 that are due within 1.5 to 8 times their run time, load 0.9",
        source="Liu and Layland 1973: optimal on one machine while it is not overloaded",
        experiment=partial(deadlines, load=0.9, slack=(1.5, 8.0)),
        baseline="fcfs-quota",
        changes={"walk": "fit-first", "preemption": "immediate"},
        effect=Effect(DEADLINES_MET, "higher", relative=False),
        deciding="ordering",
    ),
)
