"""Philly: gangs ask for locality, and for less of it after every failed attempt."""

from __future__ import annotations

from functools import partial

from simulation.generators.contended import racks
from simulation.mechanisms.ordering import LeastShare
from simulation.mechanisms.reclaiming import ReclaimEntitlement
from simulation.mechanisms.relaxing import RelaxAfterWaiting
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import BorrowingQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import held_of_gangs, wait_of_gangs
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

NEVER = 10_000
CLUSTER = "production cluster of Microsoft, 14 virtual clusters"
TRACE = "96,260 jobs in 75 days"
NOTES = "reading notes of others"


def _characterised(metric: str, value: float, unit: str, place: str, read: bool = True) -> Claim:
    return Claim(
        metric=metric, value=value, unit=unit, baseline="none: a characterisation", hardware=CLUSTER, workload=TRACE,
        kind="production", place=place, confidence="read" if read else "recalled",
    )  # fmt: skip


SYSTEM = System(
    slug="philly",
    name="Philly",
    title="Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads",
    workload="training",
    objectives=("utilisation", "fairness"),
    resources=("homogeneous", "topology", "preemption", "borrowing"),
    description=(
        "The scheduler that the study observed. A gang gathers GPUs for a while: at first on the fewest nodes of one "
        "rack, after some failed attempts on any nodes of a rack, in the end anywhere, where it may work more slowly. "
        "What it gathers is kept from others meanwhile, and after a failure it pauses. Virtual clusters take turns by "
        "what they hold of their quota and borrow what is idle; on a full cluster the latest jobs of one above its "
        "quota are killed for one below, and go on from their last checkpoint. Jobs fail and are killed by their users "
        "as the workload says. Why jobs wait is counted: for their share, for one that others hold, or though enough "
        "GPUs are free somewhere. Left out: automatic reruns of failed jobs, since the run time of a job is that of "
        "all its attempts together, and trial runs on one GPU."
    ),
    sources=("Jeon et al., USENIX ATC 2019", "msr-fiddle/philly-traces"),
    recipe=Recipe(
        ordering=LeastShare(),
        walk=FitFirst(),
        placement=RelaxAfterWaiting(),
        preemption=ReclaimEntitlement(),
        sizing=FixedGang(),
        tenancy=BorrowingQuota(),
    ),
    venue="USENIX ATC",
    year=2019,
    claims=(
        _characterised("jobs killed by users or unsuccessful", 30.7, "% of jobs", NOTES),
        _characterised("GPU time spent by killed or unsuccessful jobs", 55.0, "% (about)", NOTES),
        _characterised(
            "share of passed jobs that need all their epochs to reach the lowest loss", 80.0, "% (about)", NOTES
        ),
        _characterised("mean GPU utilisation", 52.0, "%", "section on utilisation", read=False),
    ),
    signature=Signature(
        title="Giving up locality starts gangs sooner, and makes them slower",
        workload="one tenant, four racks of 16 GPUs, gangs of 1 to 16, slower when spread, load 0.6",
        source="Jeon et al., ATC 2019: locality is relaxed to avoid long queueing",
        experiment=partial(racks, load=0.6),
        baseline="philly",
        changes={"placement.give_up_nodes": NEVER, "placement.give_up_rack": NEVER},
        effect=Effect(wait_of_gangs(16), "lower"),
        also=(Effect(held_of_gangs(16), "higher"),),
        deciding="placement",
    ),
)
