"""MLCloudPrice: jobs go where their work is cheapest today, and move when that changes enough."""

from __future__ import annotations

from simulation.generators.market import price_sheet, renters
from simulation.mechanisms.market.cheapest import CheapestWork
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import cost_at
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="mlcloudprice",
    name="MLCloudPrice",
    title="Analysis and Exploitation of Dynamic Pricing in the Public Cloud for ML Training",
    workload="training",
    objectives=("cost",),
    resources=("heterogeneous", "spot", "migration", "preemption"),
    description=(
        "Pools stand for instance types of clouds and zones, each with a price that changes. A job takes a node where "
        "its own rate buys the most work for a dollar; once a period it looks again, and moves if the rest of its work "
        "saves more than the move costs. A job that loses its node to the market waits for another, and after three "
        "losses in a day stays on demand until the next. Strategies of the publication that consider fewer instances "
        "are the choices “first-model” and “at-start”, with the pools that the scenario has. The rule for moves and "
        "the rule for reclaims are ours. Left out: bids, and the charge for a transfer of data, which a move has to "
        "save but which no price sheet knows."
    ),
    sources=("Narayanan et al., DISPA 2020", "stanford-futuredata/training_on_a_dime (strategies, prices)"),
    recipe=Recipe(
        ordering=Arrival(),
        walk=FitFirst(),
        placement=CheapestWork(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    venue="DISPA",
    year=2020,
    claims=(
        Claim(
            metric="cost of training a model",
            value=3.5,
            unit="× lower at best",
            baseline="a static choice",
            hardware="price logs of AWS, Azure and GCP, February and March 2020",
            workload="single jobs of several models",
            kind="simulation",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="preemptions needed to exploit price changes",
            value=1.0,
            unit="a day at most",
            baseline="none",
            hardware="price logs of AWS, Azure and GCP, February and March 2020",
            workload="single jobs of several models",
            kind="simulation",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Moving once a day is cheaper than choosing well once",
        workload="8 one-GPU jobs of some days on three GPU models in two zones, spot prices that change daily",
        source="Narayanan et al., DISPA 2020: against a choice kept from the start; prices and size are ours",
        experiment=renters,
        baseline="mlcloudprice",
        changes={"placement.choose": "at-start"},
        effect=Effect(cost_at(price_sheet()), "lower", least=0.1),
        deciding="placement",
    ),
)
