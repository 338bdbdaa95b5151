"""ElasticFlow: users give deadlines instead of GPUs; a job that is admitted meets its deadline."""

from __future__ import annotations

from functools import partial

from simulation.generators.elastic import deadlines
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.programs.deadlines import DeadlineShare
from simulation.metrics.measures import BROKEN_PROMISES, DEADLINES_MET
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="elasticflow",
    name="ElasticFlow",
    title="ElasticFlow: An Elastic Serverless Training Platform for Distributed Deep Learning",
    workload="training",
    objectives=("deadline", "utilisation"),
    resources=("elastic", "topology", "admission", "preemption"),
    description=(
        "For each job the fewest GPUs are planned, slot by slot up to its deadline, with which it is done in time: its "
        "minimum satisfactory share. A job is admitted if then everyone’s share still fits, else declined. GPUs that "
        "nobody needs go, a power of two at a time, to the job that wastes least GPU-time by them. Blocks of powers of "
        "two always find a place, if others move. What a resize costs is the scenario’s; plans do not foresee it, so "
        "that dear ones break promises. Left out: the cache of trainers that makes some resizes cheaper."
    ),
    sources=("Gu et al., ASPLOS 2023", "pkusys/ElasticFlow (slots, growth of GPU-time, ascending as the paper argues)"),
    recipe=Recipe(placement=ConsolidateStrictly(node="best"), sizing=DeadlineShare()),
    venue="ASPLOS",
    year=2023,
    claims=(
        Claim(
            metric="jobs that meet their deadline",
            value=1.46,
            up_to=7.65,
            unit="× more",
            baseline="existing solutions (by the artifact: EDF, Gandiva, Tiresias, Themis, Chronus and others)",
            hardware="128 GPUs",
            workload="traces derived from production",
            kind="testbed",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="More deadlines are met, and every promise is kept",
        workload="32 GPUs, jobs that scale well to badly on 1 to 8 of them, due within 1.1 to 4 times their time "
        "with 8, more work than earliest deadline first can do with 8 each (load 2)",
        source="Gu et al., ASPLOS 2023: deadlines met against EDF; the size of the effect is ours",
        experiment=partial(deadlines, load=2.0, slack=(1.1, 4.0), jobs=40),
        baseline="edf",
        effect=Effect(DEADLINES_MET, "higher", least=0.05, relative=False),
        also=(Effect(BROKEN_PROMISES, "lower", relative=False),),
        deciding="sizing",
    ),
)
