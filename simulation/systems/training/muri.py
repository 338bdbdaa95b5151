"""Muri: when there are too many jobs, those of unlike bottlenecks take turns on the same GPUs."""

from __future__ import annotations

from functools import partial

from simulation.generators.colocated import bottlenecked
from simulation.mechanisms.ordering import ShortestRemaining
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Immediate
from simulation.mechanisms.sharing.interleaved import StageInterleaving
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MAKESPAN, MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System


def _measured(metric: str, value: float, variant: str, baseline: str, seconds: str = "") -> Claim:
    return Claim(
        metric=metric, value=value, unit=f"× lower ({variant})", baseline=baseline, hardware="64 V100 in 8 nodes",
        workload="trace of 400 jobs", kind="testbed", place=f"results of the artifact{seconds}", confidence="read",
    )  # fmt: skip


SYSTEM = System(
    slug="muri",
    name="Muri",
    title="Multi-Resource Interleaving for Deep Learning Training",
    workload="training",
    objectives=("jct", "makespan", "utilisation"),
    resources=("homogeneous", "sharing", "colocation", "multi-resource", "preemption", "time-slicing"),
    description=(
        "An iteration spends time on storage, CPU, GPU and network in turn. Up to four jobs of equal gangs "
        "share a set of GPUs with their stages staggered, so that no resource serves two at once. Every six minutes "
        "the jobs with the least GPU-time left are taken, as many as could share; they are paired by how well "
        "their stages fill each other’s gaps, in the best matching of all, and pairs are paired again, until all fit: "
        "below full load nobody shares. A group slower than its jobs in turn is split. In between the groups stay, and "
        "jobs that wait form groups of their own on what is free. This is Muri-S; with the order “attained-service” it "
        "is Muri-L. Where all jobs lean on one resource for up to three quarters of an iteration, groups of four "
        "still count as faster, and jobs end later than without sharing, unless a least weight of 0.5 forbids them. "
        "Left out are a simulator’s start costs by model and the cost of measuring the stages: overheads are those of "
        "the scenario. Shares of tenants are not looked at."
    ),
    sources=("Zhao et al., SIGCOMM 2022", "Rivendile/Muri (run_sim flags, jobs module, results of the artifact)"),
    recipe=Recipe(
        ordering=ShortestRemaining(by_gpu_time=True),
        walk=FitFirst(),
        placement=ConsolidateStrictly(node="best"),
        preemption=Immediate(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
        sharing=StageInterleaving(),
    ),
    venue="SIGCOMM",
    year=2022,
    claims=(
        _measured("mean JCT", 2.12, "Muri-S", "shortest remaining time first", " (117,634 s against 249,140 s)"),
        _measured("mean JCT", 2.59, "Muri-L", "Tiresias", " (129,745 s against 336,533 s)"),
        _measured("mean JCT", 3.56, "Muri-L", "Themis", " (129,745 s against 461,456 s)"),
        _measured("makespan", 1.56, "Muri-S", "shortest remaining time first"),
        _measured("99th percentile JCT", 3.31, "Muri-S", "shortest remaining time first"),
    ),
    signature=Signature(
        title="Jobs of unlike bottlenecks fill each other’s gaps",
        workload="one tenant, 16 GPUs, jobs bound by storage, CPU, GPU or network (70 % of an iteration), load 2",
        source="Zhao et al., SIGCOMM 2022: against SRTF with exclusive GPUs; the size of the effect is ours",
        experiment=partial(bottlenecked, load=2.0),
        baseline="muri",
        changes={"sharing": "none"},
        effect=Effect(MEAN_JCT, "lower", least=0.2),
        also=(Effect(MAKESPAN, "lower", least=0.1),),
        deciding="sharing",
    ),
)
