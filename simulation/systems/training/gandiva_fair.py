"""Gandiva_fair: tickets of users on each generation of GPU, time slices in proportion, and trades."""

from __future__ import annotations

from simulation.generators.traders import unlike_gains
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tickets.tickets import TradedTickets
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT, jct_of
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="gandiva-fair",
    name="Gandiva_fair",
    title="Balancing Efficiency and Fairness in Heterogeneous GPU Clusters for Deep Learning",
    workload="training",
    objectives=("fairness", "utilisation"),
    resources=("heterogeneous", "time-slicing", "migration", "preemption"),
    description=(
        "Every user that has jobs gets time on each generation of GPU in proportion to its tickets (the quotas of "
        "tenants), whatever the number and the width of its jobs; what it cannot use is spread over the others. Jobs "
        "take turns of about a minute by stride: who has had least for its tickets goes first, and a gang that did not "
        "fit goes first next time. Users whose jobs gain most from fast GPUs buy shares of them from those whose jobs "
        "gain least, at the gain of the user ranked next to the buyer: the seller gets more of the slow ones than it "
        "gave up, so nobody loses. Left out: servers with queues of their own and the balance between them (here there "
        "is one stride a generation), packing of jobs on one GPU; shares are made anew when jobs come or end, and a "
        "job may move between generations from turn to turn."
    ),
    sources=(
        "Chaudhary et al., EuroSys 2020: abstract",
        "reading notes of others: shares, stride, gangs first, load of tickets, second price",
        "by memory: the quantum; ours: passes by GPU-time, two levels (users, then their jobs)",
    ),
    recipe=Recipe(
        ordering=Arrival(),
        walk=FitFirst(),
        placement=TakeAny(),
        preemption=Immediate(),
        sizing=FixedGang(),
        tenancy=TradedTickets(),
    ),
    venue="EuroSys",
    year=2020,
    signature=Signature(
        title="Trades make everyone faster, and nobody slower",
        workload="6 slow and 6 fast GPUs, three tenants whose jobs are 1.2, 2 and 5 times as fast on the fast ones",
        source="Chaudhary et al., EuroSys 2020: trading against the fair share; the size is ours",
        experiment=unlike_gains,
        baseline="gandiva-fair",
        changes={"tenancy.trade": False},
        effect=Effect(MEAN_JCT, "lower", least=0.05),
        also=(
            Effect(jct_of("low"), "lower"),
            Effect(jct_of("middle"), "lower"),
            Effect(jct_of("high"), "lower"),
        ),
        deciding="tenancy",
    ),
)
