"""Lucid: short looks at jobs tell which of them can share GPUs, and history which are short."""

from __future__ import annotations

from functools import partial

from simulation.generators.colocated import profiled
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.predicted import PredictedService
from simulation.mechanisms.preemption import BeginAnew
from simulation.mechanisms.sharing.packed import PairPacking
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT, MEAN_WAIT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="lucid",
    name="Lucid",
    title="Lucid: A Non-intrusive, Scalable and Interpretable Scheduler for Deep Learning Training Jobs",
    workload="training",
    objectives=("jct", "utilisation"),
    resources=("homogeneous", "colocation", "sharing", "autoscaling"),
    description=(
        "Jobs of few GPUs run first for some minutes on nodes set aside, unless those could not hold them. Who ends "
        "there is done; the others begin anew outside, but now their memory and utilisation are known. The queue is "
        "ordered by predicted GPU-time, as finished jobs of the same user, name and gang took. While many jobs are "
        "expected, a job joins a running one of its gang if memory permits, their sharing scores sum to two at most, "
        "and that one is not nearly done; else it gets GPUs of its own. Nothing is preempted. Scores follow from "
        "measured utilisation and a fitted law of interference in place of a decision tree; run times from means of "
        "history in place of a learned model. Left out: nodes that join the profiler under load, refits of the "
        "models, and virtual clusters, which are shares of one cluster here."
    ),
    sources=("Hu et al., ASPLOS 2023", "S-Lab-System-Group/Lucid (utils, policy and analyzer modules, measured pairs)"),
    recipe=Recipe(
        ordering=PredictedService(),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
        preemption=BeginAnew(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
        sharing=PairPacking(),
    ),
    venue="ASPLOS",
    year=2023,
    claims=(
        Claim(
            metric="mean JCT",
            value=1.3,
            unit="× lower at best",
            baseline="Tiresias, which preempts",
            hardware="simulated production clusters",
            workload="Helios (Venus, Saturn) and Philly traces",
            kind="simulation",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="mean normalised speed of a packed pair",
            value=0.94,
            unit="of its speed alone (5th percentile 0.69; both together 1.87)",
            baseline="a GPU of its own",
            hardware="RTX 3090",
            workload="1,388 pairs of 14 kinds of models",
            kind="testbed",
            place="computed from measured pairs in the repository",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Harmless pairs make room for more jobs, and short ones come first",
        workload="one tenant, 64 GPUs; names that keep GPUs 10 to 60 % busy, submitted again and again, load 1.6",
        source="Hu et al., ASPLOS 2023: mean JCT and queueing against first in, first out; the size is ours",
        experiment=partial(profiled, load=1.6),
        baseline="lucid",
        changes={"ordering": "arrival", "sharing": "none"},
        effect=Effect(MEAN_WAIT, "lower", least=0.7),
        also=(Effect(MEAN_JCT, "lower", least=0.05),),
        deciding="sharing",
    ),
)
