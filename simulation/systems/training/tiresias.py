"""Tiresias: least attained service in discrete queues, without knowledge of durations."""

from __future__ import annotations

from functools import partial

from simulation.generators.experiments import heavy_tailed
from simulation.mechanisms.ordering import AttainedService
from simulation.mechanisms.placement import ConsolidateBySkew
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import LONGEST_JCT, MEAN_JCT, PREEMPTIONS
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="tiresias",
    name="Tiresias",
    title="Tiresias: A GPU Cluster Manager for Distributed Deep Learning (2D-LAS)",
    workload="training",
    objectives=("jct", "utilisation"),
    resources=("homogeneous", "topology", "preemption"),
    description=(
        "Jobs are ranked by the GPU-time that they have held so far, in a few queues: everyone begins in the first and "
        "falls to the next when a threshold is reached. Jobs of an earlier queue take GPUs from those of later ones, "
        "jobs of one queue never from each other. Nothing is known of durations. A gang is "
        "consolidated where one tensor of its model is much larger than the others, and where nobody has said."
    ),
    sources=("Gu et al., NSDI 2019", "SymbioticLab/Tiresias, README and jobs module (thresholds)"),
    recipe=Recipe(
        ordering=AttainedService(),
        walk=FitFirst(),
        placement=ConsolidateBySkew(),
        preemption=Immediate(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
    ),
    venue="NSDI",
    year=2019,
    claims=(
        Claim(
            metric="mean JCT",
            value=5.5,
            unit="× lower at best",
            baseline="the YARN-based resource manager of a production cluster",
            hardware="60 P100 GPUs",
            workload="trace of 480 jobs",
            kind="testbed",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="mean JCT",
            value=2.0,
            unit="× lower at best",
            baseline="another deep-learning scheduler, by memory Gandiva",
            hardware="simulated cluster",
            workload="production trace",
            kind="simulation",
            place="README of the public repository",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Without knowing durations, short jobs gain and long ones pay for it",
        workload="one tenant, 16 GPUs, Philly-like run times (P95/P50 = 38), load 0.9",
        source="Gu et al., NSDI 2019: mean JCT against first in, first out; the size of the effect is ours",
        experiment=partial(heavy_tailed, load=0.9, nodes=2, jobs=800, days=8.0),
        baseline="fcfs-quota",
        changes={"walk": "fit-first"},
        effect=Effect(MEAN_JCT, "lower", least=0.30),
        also=(
            Effect(PREEMPTIONS, "higher", relative=False),
            Effect(LONGEST_JCT, "higher"),
        ),
        deciding="preemption",
    ),
)
