"""First come, first served, with EASY backfill behind a reservation."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import Backfill
from simulation.metrics.measures import MEAN_WAIT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="fcfs-backfill",
    name="FCFS with backfill",
    title="First come, first served with EASY backfill",
    workload="training",
    objectives=("utilisation", "jct"),
    resources=("homogeneous", "topology"),
    description=(
        "The oldest job that does not fit gets a reservation for the earliest instant at which it will. Younger jobs "
        "may start at once if they end before that instant, or on GPUs that the reservation leaves. It plans with the "
        "user's run time estimate where there is one, else with the true duration, and says so: then it is an oracle."
    ),
    sources=(
        "Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995",
        "Mu'alem and Feitelson, IEEE Transactions on Parallel and Distributed Systems 12(6), 2001",
    ),
    recipe=Recipe(
        ordering=Arrival(),
        walk=Backfill(),
        placement=ConsolidateStrictly(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    venue="JSSPP",
    year=1995,
    signature=Signature(
        title="Holes in front of a wide job are filled",
        workload="one tenant, 32 GPUs, gangs of 1 to 8, Philly-like run times, load 0.8",
        source="Lifka 1995; Mu'alem and Feitelson 2001: less waiting than plain first come, first served",
        experiment=partial(heavy_tailed, load=0.8),
        baseline="fcfs-quota",
        effect=Effect(MEAN_WAIT, "lower"),
        deciding="walk",
    ),
)
