"""Least-loaded fair share in rounds."""

from __future__ import annotations

from simulation.generators.experiments import flood
from simulation.mechanisms.ordering import LeastShare
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Rounds
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import WORST_TENANT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="fair-share",
    name="Least-loaded fair share",
    title="Fair share of GPUs over tenants, least loaded first, in rounds",
    workload="training",
    objectives=("fairness", "utilisation"),
    resources=("homogeneous", "topology", "preemption"),
    description=(
        "At the end of each round GPUs are dealt out anew: the tenant that has the least for its entitlement gets its "
        "next job placed, again and again, until nothing fits. A job that still has its turn keeps its GPUs. Between "
        "rounds jobs start on free GPUs in the same order. What a tenant does not use, others do."
    ),
    sources=(
        "Ghodsi et al., Dominant Resource Fairness, NSDI 2011 (progressive filling, here of one resource)",
        "Mahajan et al., Themis, NSDI 2020 (leases)",
    ),
    recipe=Recipe(
        ordering=LeastShare(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
        preemption=Rounds(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    signature=Signature(
        title="A tenant that floods the cluster does not hold up the other",
        workload="two tenants, 16 GPUs; 60 hours of work submitted at once, then short jobs of the other tenant",
        source="Ghodsi et al., NSDI 2011: sharing incentive",
        experiment=flood,
        baseline="fcfs-quota",
        changes={"walk": "fit-first", "tenancy": "none"},
        effect=Effect(WORST_TENANT, "lower"),
        deciding="ordering",
    ),
)
