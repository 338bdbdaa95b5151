"""First come, first served, each tenant inside its static quota."""

from __future__ import annotations

from simulation.generators.experiments import flood
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import StaticQuota
from simulation.mechanisms.walk import StopAtTenantHead
from simulation.metrics.measures import wait_of
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="fcfs-quota",
    name="FCFS with static quota",
    title="First come, first served inside static quotas: the form that production baselines take",
    workload="training",
    objectives=("utilisation", "fairness"),
    resources=("homogeneous", "topology"),
    description=(
        "Each tenant has a fixed share of the GPUs and one queue. The oldest job of a queue starts as soon as it fits "
        "into the share and onto the fewest nodes possible; until then everything behind it waits. Nothing is "
        "preempted, and GPUs that a tenant leaves idle stay idle. A job larger than the whole share runs alone."
    ),
    sources=(
        "Vavilapalli et al., Apache Hadoop YARN, SoCC 2013",
        "Gu et al., Tiresias, NSDI 2019: its production baseline YARN-CS",
    ),
    recipe=Recipe(
        ordering=Arrival(),
        walk=StopAtTenantHead(),
        placement=ConsolidateStrictly(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=StaticQuota(),
    ),
    signature=Signature(
        title="A guaranteed share is there when its tenant comes",
        workload="two tenants, 16 GPUs; 60 hours of work submitted at once, then short jobs of the other tenant",
        source="Vavilapalli et al., SoCC 2013: guaranteed capacity",
        experiment=flood,
        baseline="fcfs-quota",
        changes={"tenancy": "none"},
        effect=Effect(wait_of("b"), "lower"),
        deciding="tenancy",
    ),
)
