"""Themis: leases of GPUs by auction, so that nobody ends much later than on an equal part of the cluster."""

from __future__ import annotations

from functools import partial

from simulation.generators.apps import short_and_long
from simulation.mechanisms.placement import TakeAny
from simulation.mechanisms.programs.lease_auction import LeaseAuction
from simulation.metrics.fairness_measures import LARGEST_RHO, RHO_SPREAD
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="themis",
    name="Themis",
    title="Themis: Fair and Efficient GPU Cluster Scheduling",
    workload="training",
    objectives=("fairness", "utilisation"),
    resources=("homogeneous", "topology", "preemption"),
    description=(
        "The finish-time ratio of a job is the time to its end as things are, over the time on an equal part of the "
        "cluster: the goal is that the largest is small. GPUs are leased. When some are free, the worst-off jobs bid "
        "for subsets of them, close together or apart, with what each would make of their ratio. The winners are those "
        "with the largest product of one over the ratio; each gives back so many of its GPUs as it has cost the "
        "others. What is left goes to jobs outside the auction and then to bidders, at random. A job that cannot do "
        "with fewer GPUs than it asked for cannot pay with a part of them and then keeps none: for logs of such jobs, "
        "switch the payment off. The ordering by finish-time ratio in rounds, and the allocation program with the "
        "objective finish-time, are the forms that later simulators run. Left out: apps of several jobs, bids that "
        "are not true, the two-level protocol."
    ),
    sources=(
        "Mahajan et al., NSDI 2020: abstract; two sets of reading notes on metric, auction, knob and leases",
        "by memory: payment, length of a lease, what bids look like; ours: ratio of an empty hand, greedy winners",
    ),
    recipe=Recipe(placement=TakeAny(), sizing=LeaseAuction()),
    venue="NSDI",
    year=2020,
    claims=(
        Claim(
            metric="finish-time fairness",
            value=2.25,
            unit="× better, more than",
            baseline="the schedulers of the time",
            hardware="simulation and a testbed",
            workload="a production trace",
            kind="unspecified",
            place="abstract (which of the two was not read)",
            confidence="read",
        ),
        Claim(
            metric="cluster efficiency",
            value=5.0,
            up_to=250.0,
            unit="% better",
            baseline="the schedulers of the time",
            hardware="simulation and a testbed",
            workload="a production trace",
            kind="unspecified",
            place="abstract (which of the two was not read)",
            confidence="read",
        ),
        Claim(
            metric="largest rho",
            value=1.2,
            unit="at most",
            baseline="Tiresias, Optimus, Gandiva and SLAQ, all above it",
            hardware="not read",
            workload="not read",
            kind="unspecified",
            place="figure 9, by another reader’s notes",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Nobody ends much later than on an equal part of its own",
        workload="16 GPUs in 4 nodes, short and long jobs of 1 to 4 GPUs, half of them slow when spread, load 1",
        source="Mahajan et al., NSDI 2020: largest ratio against least attained service; the size is ours",
        experiment=partial(short_and_long, load=1.0, jobs=60, elastic=True),
        baseline="tiresias",
        effect=Effect(LARGEST_RHO, "lower", least=0.3),
        also=(Effect(RHO_SPREAD, "lower"),),
        deciding="sizing",
    ),
)
