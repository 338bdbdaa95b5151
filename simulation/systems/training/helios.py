"""Helios: quasi-shortest-service-first, by what finished jobs of the same user and name took."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import recurring
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.predicted import PredictedService
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import StaticQuota
from simulation.mechanisms.walk import StopAtTenantHead
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="helios",
    name="Helios (QSSF)",
    title="Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU Datacenters",
    workload="training",
    objectives=("jct",),
    resources=("homogeneous", "topology"),
    description=(
        "A job is scored when it comes: GPUs asked for times the mean run time of finished jobs of the same user, "
        "name and gang; where there are none, of ever wider groups. Small scores go first, nothing is preempted, and "
        "the first job that does not fit blocks its queue. Each tenant stands for a virtual cluster, with a share of "
        "GPUs instead of nodes of its own. Left out: names that are merely similar, and the learned half of the "
        "estimate."
    ),
    sources=("Hu et al., SC 2021", "S-Lab-System-Group/HeliosArtifact (rolling estimate)"),
    recipe=Recipe(
        ordering=PredictedService(),
        walk=StopAtTenantHead(),
        placement=ConsolidateStrictly(node="best"),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=StaticQuota(),
    ),
    venue="SC",
    year=2021,
    claims=(
        Claim(
            metric="mean JCT",
            value=6.5,
            unit="× lower at best",
            baseline="first in, first out, as in production (name recalled)",
            hardware="the SenseTime Helios clusters, simulated",
            workload="their production traces",
            kind="simulation",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Finished jobs tell which of those that wait are short",
        workload="one tenant, 32 GPUs; 8 users submit 6 jobs each again and again, load 0.95",
        source="Hu et al., SC 2021: mean JCT against first in, first out; the size of the effect is ours",
        experiment=partial(recurring, load=0.95),
        baseline="fcfs-quota",
        effect=Effect(MEAN_JCT, "lower", least=0.5),
        deciding="ordering",
    ),
)
