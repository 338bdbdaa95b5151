"""Tiresias: least attained service in discrete queues, without knowledge of durations."""

from __future__ import annotations

from simulation.mechanisms.ordering import AttainedService
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
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
        "jobs of one queue never from each other. Nothing is known of durations. Every gang is consolidated: the "
        "skew of a model's tensors, by which the original chooses, is not among a job's data here."
    ),
    sources=("Gu et al., NSDI 2019", "SymbioticLab/Tiresias, README and jobs module (thresholds)"),
    recipe=Recipe(
        ordering=AttainedService(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
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
)
