"""Gavel: shares of unlike GPUs by an optimisation program, made true in rounds."""

from __future__ import annotations

from functools import partial

from simulation.generators.unlike import unlike_gpus
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.programs.allocation import AllocationProgram
from simulation.metrics.fairness_measures import WORST_SLOWDOWN
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="gavel",
    name="Gavel",
    title="Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning Workloads",
    workload="training",
    objectives=("fairness", "makespan", "jct", "cost", "deadline"),
    resources=("heterogeneous", "topology", "preemption"),
    description=(
        "A policy is a program over the share of its time that each job should spend on each GPU model, given how fast "
        "it is there: by default the job that gets least for what an equal part of all models would give it gets as "
        "much as possible. Rounds make the shares true: each model serves the jobs whose share is furthest above what "
        "they have received, the fastest model first; a job that stays keeps its GPUs. Shares are computed anew when "
        "jobs come or go, at least half an hour apart. Other objectives: finish-time fairness, makespan, total "
        "throughput, work for the money with deadlines, first come first served on the fastest model. Left out: two "
        "jobs on one GPU, completion of unknown throughputs from a few measurements and their update, weights of jobs."
    ),
    sources=(
        "Narayanan et al., OSDI 2020",
        "stanford-futuredata/gavel, policies and scheduler (rounds, priorities, renewal)",
    ),
    recipe=Recipe(placement=TakeAny(), sizing=AllocationProgram()),
    venue="OSDI",
    year=2020,
    claims=(
        Claim(
            metric="mean JCT",
            value=3.5,
            unit="× lower at best",
            baseline="the same policies without knowledge of how fast jobs are on each model",
            hardware="36 V100, 36 P100 and 36 K80, simulated",
            workload="jobs that keep coming",
            kind="simulation",
            place="abstract, by memory; the simulated cluster was read in the artifact",
            confidence="recalled",
        ),
        Claim(
            metric="makespan",
            value=1.4,
            unit="× shorter at best",
            baseline="policies without knowledge of how fast jobs are on each model",
            hardware="36 V100, 36 P100 and 36 K80, simulated",
            workload="jobs that are all there at the start",
            kind="simulation",
            place="abstract, by memory",
            confidence="recalled",
        ),
    ),
    signature=Signature(
        title="Each GPU model goes to the jobs that make most of it",
        workload="12 GPUs of three models, one-GPU jobs of seven kinds with measured rates, load 0.8",
        source="Narayanan et al., OSDI 2020: mean JCT against the same policy without rates; the size is ours",
        experiment=partial(unlike_gpus, load=0.8, jobs=60),
        baseline="gavel",
        changes={"sizing.aware": False},
        effect=Effect(MEAN_JCT, "lower", least=0.10),
        also=(Effect(WORST_SLOWDOWN, "lower"),),
        deciding="sizing",
    ),
)
