"""PowerFlow: GPUs and clocks under an energy budget."""

from __future__ import annotations

from functools import partial

from simulation.generators.elastic import metered
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.programs.energy import EnergyBudget
from simulation.metrics.measures import ENERGY, MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="powerflow",
    name="PowerFlow",
    title="Energy-Efficient GPU Clusters Scheduling for Deep Learning",
    workload="training",
    objectives=("energy", "jct"),
    resources=("homogeneous", "elastic", "topology", "preemption"),
    description=(
        "Every job begins with its fewest GPUs at the clock that takes least energy. Then upgrades are made one by "
        "one, to twice the GPUs or the next clock: first the one that shortens its job most for the energy that it "
        "adds, until the budget of energy is used up. Jobs are packed in blocks of powers of two, so that empty nodes "
        "idle. Rates and power by GPUs and clock are known; how the paper fits them, and a profiling run of each new "
        "job, are left out. Communication across nodes is what the cluster’s links make of it."
    ),
    sources=(
        "Gu et al., arXiv 2304.06381 (abstract)",
        "chikoneuru/hasagi-parallelism: a port of Algorithm 1 (priority, budget test); upgrades of clocks are ours",
    ),
    recipe=Recipe(placement=ConsolidateStrictly(node="best"), sizing=EnergyBudget()),
    venue="arXiv",
    year=2023,
    claims=(
        Claim(
            metric="mean JCT at equal energy",
            value=1.57,
            up_to=3.39,
            unit="× lower at most",
            baseline="competitive baselines",
            hardware="not read",
            workload="trace",
            kind="unspecified",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Jobs end sooner with no more energy",
        workload="32 GPUs, jobs that ask for 1 to 8 GPUs, compute-bound to memory-bound, load 0.8",
        source="Gu et al., arXiv 2304.06381: JCT at equal energy; the size of the effect is ours",
        experiment=partial(metered, load=0.8),
        baseline="fcfs-quota",
        changes={"walk": "fit-first"},
        effect=Effect(MEAN_JCT, "lower", least=0.1),
        also=(Effect(ENERGY, "lower"),),
        deciding="sizing",
    ),
)
