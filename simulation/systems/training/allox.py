"""AlloX: jobs and unlike devices matched so that the sum of completion times is least."""

from __future__ import annotations

from functools import partial

from simulation.generators.unlike import unlike_gpus
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.programs.matching import PositionMatching
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="allox",
    name="AlloX",
    title="AlloX: Compute Allocation in Hybrid Clusters",
    workload="training",
    objectives=("jct", "fairness"),
    resources=("heterogeneous", "cpu", "admission"),
    description=(
        "Every job can run on any kind of device, on each in a time of its own. When a job comes or ends, those that "
        "wait are matched to devices and to positions in their queues; a device in use counts from when it will be "
        "free. At position k from the end a run time counts k times, so the cheapest matching has the least sum of "
        "completion times. The first of each queue starts, if its device is free, and stays; the rest is matched anew "
        "next time. Only the oldest jobs may be matched, so that nobody starves: all of them by default. CPU servers "
        "are a pool like another. A gang takes the place of one job on GPUs close together, gangs of each width by "
        "themselves: the original has jobs of one device only. Left out: users and their progress, the time that "
        "profiling takes, errors of estimates."
    ),
    sources=(
        "Le et al., EuroSys 2020: abstract",
        "stanford-futuredata/gavel, its AlloX policy (cost of positions, share of the oldest; free workers only)",
        "by memory: the delay until a device is free; ours: gangs",
    ),
    recipe=Recipe(placement=TakeAny(), sizing=PositionMatching()),
    venue="EuroSys",
    year=2020,
    claims=(
        Claim(
            metric="mean JCT",
            value=95.0,
            unit="% lower at best, under high load",
            baseline="earlier schedulers, some adapted",
            hardware="a small cluster of CPUs and GPUs, and simulation",
            workload="training jobs",
            kind="testbed and simulation",
            place="abstract; of which of the two the figure is was not read",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Who gains most from a fast GPU gets it, and short jobs still go first",
        workload="12 GPUs of three models, one-GPU jobs of seven kinds with measured rates, load 0.8",
        source="Le et al., EuroSys 2020: mean JCT against the shortest job on the first free device; the size is ours",
        experiment=partial(unlike_gpus, load=0.8, jobs=120),
        baseline="sjf",
        effect=Effect(MEAN_JCT, "lower", least=0.1),
        deciding="sizing",
    ),
)
