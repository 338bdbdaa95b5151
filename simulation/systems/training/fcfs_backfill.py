"""First come, first served, with EASY backfill behind a reservation."""

from __future__ import annotations

from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import Backfill
from simulation.systems.recipe import Recipe
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
)
