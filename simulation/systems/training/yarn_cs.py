"""YARN-CS: capacity queues with borrowing, each strictly first come, first served."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import LeastShare
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import BorrowingQuota
from simulation.mechanisms.walk import StopAtTenantHead
from simulation.metrics.measures import MEAN_WAIT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="yarn-cs",
    name="YARN-CS",
    title="Apache Hadoop YARN’s CapacityScheduler, in the form in which papers on deep learning take it as baseline",
    workload="training",
    objectives=("utilisation", "fairness"),
    resources=("homogeneous", "topology"),
    description=(
        "Every tenant is a queue with a guaranteed share. The queue that uses the least of its share is asked first, "
        "and only for its oldest job: until that fits, on the fewest nodes possible, the queue is blocked. While "
        "others idle a queue borrows up to its ceiling; the owner gets those GPUs back only as jobs end. With one "
        "tenant it is plain first come, first served. Left out: preemption between queues, limits of single users."
    ),
    sources=(
        "Vavilapalli et al., Apache Hadoop YARN, SoCC 2013",
        "Gu et al., Tiresias, NSDI 2019, and its public simulator (schedule fifo, scheme yarn)",
    ),
    recipe=Recipe(
        ordering=LeastShare(),
        walk=StopAtTenantHead(),
        placement=ConsolidateStrictly(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=BorrowingQuota(),
    ),
    venue="SoCC",
    year=2013,
    claims=(
        Claim(
            metric="mean JCT",
            value=5.5,
            unit="× higher at worst than Tiresias",
            baseline="Tiresias is the other side: YARN-CS is only the baseline",
            hardware="60 P100 GPUs in 15 nodes",
            workload="trace of 480 jobs",
            kind="testbed",
            place="abstract of Tiresias; nodes and jobs from its repository",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="A wide job at the head of its queue keeps those behind it waiting",
        workload="one tenant, 32 GPUs, gangs of 1 to 8, Philly-like run times, load 0.8",
        source="public simulator of Tiresias: schedule fifo stops at the first job that does not fit",
        experiment=partial(heavy_tailed, load=0.8),
        baseline="yarn-cs",
        changes={"walk": "fit-first"},
        effect=Effect(MEAN_WAIT, "higher"),
        deciding="walk",
    ),
)
