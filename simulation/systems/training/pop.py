"""POP: allocation programs in parts, so that they stay solvable however many jobs there are."""

from __future__ import annotations

from functools import partial

from simulation.generators.unlike import unlike_gpus
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.programs.allocation import AllocationProgram
from simulation.metrics.fairness_measures import WORST_SLOWDOWN
from simulation.metrics.measures import MEAN_JCT
from simulation.metrics.solving_measures import SOLVE_TIME
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="pop",
    name="POP",
    title="Solving Large-Scale Granular Resource Allocation Problems Efficiently with POP",
    workload="training",
    objectives=("fairness", "makespan"),
    resources=("heterogeneous",),
    description=(
        "An allocation program, here that of Gavel, in parts: at each renewal the jobs are dealt out at random and "
        "evenly, every GPU model as well, each part is solved alone, and the shares are put together. Where jobs are "
        "many and none needs much of a part, little is lost. A gang that is too much for a part is split: it asks for "
        "a piece of itself in several and has the mean of its shares. Rounds then serve the cluster as Gavel does. One "
        "part is Gavel. The time to solve is modelled, as if all parts were solved at once, and only kept on "
        "record: a decision does not wait for it. Draws come from the seed of the run."
    ),
    sources=(
        "Narayanan et al., SOSP 2021",
        "stanford-futuredata/POP, run log (parts, solve times)",
    ),
    recipe=Recipe(placement=TakeAny(), sizing=AllocationProgram(parts=4)),
    venue="SOSP",
    year=2021,
    claims=(
        Claim(
            metric="gap to the optimal objective",
            value=1.5,
            unit="%, within",
            baseline="the exact solution",
            hardware="none named",
            workload="cluster scheduling, traffic engineering, load balancing",
            kind="simulation",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="solver run time (k = 8 against k = 1)",
            value=10.8,
            unit="× lower",
            baseline="the exact solution",
            hardware="32 V100, 32 P100 and 32 K80",
            workload="one seed, max-min fairness with two jobs on a GPU",
            kind="simulation",
            place="run log in the public repository",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Parts are solved far sooner, and jobs hardly notice",
        workload="48 GPUs of three models, 240 one-GPU jobs of seven kinds with measured rates, load 1.2",
        source="Narayanan et al., SOSP 2021: time to solve and gap; the sizes are ours",
        experiment=partial(unlike_gpus, load=1.2, jobs=240, gpus=16, median_h=1.0),
        baseline="gavel",
        effect=Effect(SOLVE_TIME, "lower", least=0.8),
        also=(Effect(MEAN_JCT, "lower", least=-0.05), Effect(WORST_SLOWDOWN, "lower", least=-0.1)),
        deciding="sizing",
    ),
)
