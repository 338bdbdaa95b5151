"""Pollux: GPUs and batch sizes adapt together, to the best goodput."""

from __future__ import annotations

from functools import partial

from simulation.generators.elastic import adaptive
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.programs.goodput import GoodputSearch
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="pollux",
    name="Pollux",
    title="Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning",
    workload="training",
    objectives=("jct", "goodput", "fairness"),
    resources=("homogeneous", "elastic", "batch-elastic", "topology", "preemption"),
    description=(
        "Goodput is throughput times statistical efficiency: a larger batch uses more GPUs well, but each sample "
        "teaches less, and less so late in training, when gradients are noisier. Every job runs the best batch for its "
        "GPUs. Each round the matrix of jobs and nodes is sought that has the best power mean of speed-ups, where a "
        "change costs a restart. A job at most doubles, and a node carries one distributed job. Between rounds a new "
        "job begins with its smallest gang. A local search takes the place of the genetic one. Left out: fitting of "
        "throughput models to logged times (profiles are known), and growing or shrinking the cluster."
    ),
    sources=(
        "Qiao et al., OSDI 2021",
        "petuum/adaptdl, sched/adaptdl_sched (round, search)",
        "siasosp23/artifacts, sia-simulator (exponent, restart times)",
    ),
    recipe=Recipe(placement=ConsolidateStrictly(node="best"), sizing=GoodputSearch()),
    venue="OSDI",
    year=2021,
    claims=(
        Claim(
            metric="mean JCT",
            value=50.0,
            unit="% lower at best (37 to 50)",
            baseline="deep-learning schedulers, with ideally configured jobs (variants of Tiresias and Optimus)",
            hardware="64 GPUs in 16 nodes (by memory)",
            workload="real jobs and trace-driven simulation",
            kind="testbed and simulation",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="GPUs go where they speed up training most, and the mean falls",
        workload="16 GPUs, jobs of three models whose users fixed 1 to 4 GPUs without looking, load 0.8",
        source="Qiao et al., OSDI 2021: mean JCT against schedulers of fixed gangs; the size of the effect is ours",
        experiment=partial(adaptive, load=0.8, jobs=40),
        baseline="fair-share",
        effect=Effect(MEAN_JCT, "lower", least=0.15),
        deciding="sizing",
    ),
)
