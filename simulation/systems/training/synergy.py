"""Synergy: CPU cores and host memory go to the jobs that they make faster."""

from __future__ import annotations

from functools import partial

from simulation.generators.fed import hungry_and_modest
from simulation.mechanisms.inputs.tuned import TunedInputs
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="synergy",
    name="Synergy",
    title="Looking Beyond GPUs for DNN Scheduling on Multi-Tenant Clusters",
    workload="training",
    objectives=("jct", "makespan", "utilisation"),
    resources=("homogeneous", "multi-resource", "cpu", "preemption", "topology"),
    description=(
        "An ordinary order says who runs; how many cores and how much host memory each gets follows from how much "
        "faster they make it. A job asks for the least that comes close to its best speed and is placed where GPUs, "
        "cores and memory fit best. One that finds too little gets its fair share, in proportion to its GPUs, if need "
        "be from jobs that hold more than theirs; so no GPU idles for want of cores, and no job is slower than with "
        "proportional shares. Once a round, jobs that could use more are given what is free. Here the order "
        "is first come, first served; any other may be put in. Left out: migration of running jobs for a better fit, "
        "the cost of profiling, memory curves derived from a cache model (they are data of the job), and the linear "
        "program of the upper bound."
    ),
    sources=("Mohan et al., OSDI 2022", "msr-fiddle/synergy (scheduler, models and cluster modules)"),
    recipe=Recipe(
        ordering=Arrival(),
        walk=FitFirst(),
        placement=TakeAny(),
        preemption=NoPreemption(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
        inputs=TunedInputs(),
    ),
    venue="OSDI",
    year=2022,
    claims=(
        Claim(
            metric="mean JCT",
            value=3.4,
            unit="× lower at best",
            baseline="cores and memory in proportion to GPUs, under the same order",
            hardware="V100 servers, real and simulated",
            workload="traces derived from Philly",
            kind="testbed and simulation",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="mean JCT",
            value=21.88,
            unit="hours (99th percentile 156.93)",
            baseline="none: first in, first out with tuned inputs",
            hardware="128 V100, simulated",
            workload="derived from Philly: 9 one-GPU jobs an hour, 20/70/10 vision, language, speech",
            kind="simulation",
            place="sample output in the repository’s artifact notes",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Cores that one job has no use for make another faster",
        workload="32 GPUs with 3 cores each; one-GPU jobs, half like ResNet-18 and half like BERT, load 0.9",
        source="Mohan et al., OSDI 2022: against proportional shares under FIFO; the size of the effect is ours",
        experiment=partial(hungry_and_modest, load=0.9),
        baseline="synergy",
        changes={"inputs": "none"},
        effect=Effect(MEAN_JCT, "lower", least=0.15),
        deciding="inputs",
    ),
)
