"""CASSINI: iterations are shifted so that jobs which share a link communicate in turns."""

from __future__ import annotations

from functools import partial

from simulation.generators.crossing import across_nodes
from simulation.mechanisms.finish_order import FinishTimeRatio
from simulation.mechanisms.network.network import PhaseShifts
from simulation.mechanisms.placement import AvoidCrowdedPorts
from simulation.mechanisms.preemption import Rounds
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import FitFirst
from simulation.metrics.measures import MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System


def _measured(metric: str, value: float, unit: str, baseline: str, *, workload: str, place: str) -> Claim:
    hardware = "24 servers" if place.startswith("abstract") else "24 A100 servers, 50 Gb/s RDMA, 48 links"
    return Claim(
        metric=metric, value=value, unit=unit, baseline=baseline, hardware=hardware, workload=workload,
        kind="testbed", place=place, confidence="read",
    )  # fmt: skip


_in_abstract = partial(_measured, baseline="the host schedulers alone", workload="13 common models", place="abstract")
_in_notes = partial(_measured, workload="13 models", place="notes of others")

SYSTEM = System(
    slug="cassini",
    name="Cassini",
    title="CASSINI: Network-Aware Job Scheduling in Machine Learning Clusters",
    workload="training",
    objectives=("jct",),
    resources=("network", "topology", "colocation", "migration"),
    description=(
        "Another scheduler says who runs, here the ordering by finish-time ratio in rounds, a form of Themis. A gang "
        "that does not fit into one node goes where its phases go best with those of the jobs that use the same "
        "network ports, and its iterations begin so much later that it communicates while they compute. What still "
        "collides is counted on the circle of both iterations. Links are the ports of nodes, with the bandwidth that "
        "the cluster gives for them: without one nobody is slowed by others and nothing is gained. A job is shifted "
        "once, against those who are there, so a job has one shift on all its ports whatever the graph of jobs and "
        "links looks like. Left out: a choice among whole placements of the host, a new search over all jobs of a link "
        "when one comes or goes, several phases in an iteration, correction of drift, and the delay at the start, "
        "which is shorter than an iteration."
    ),
    sources=(
        "Rajasekaran et al., NSDI 2024: abstract; two sets of reading notes on circle, rotation and affinity graph",
        "ours: the closed form for two jobs on a circle, and one gang placed after the other",
    ),
    recipe=Recipe(
        ordering=FinishTimeRatio(),
        walk=FitFirst(),
        placement=AvoidCrowdedPorts(),
        preemption=Rounds(),
        sizing=FixedGang(),
        tenancy=NoQuota(),
        network=PhaseShifts(),
    ),
    venue="NSDI",
    year=2024,
    claims=(
        _in_abstract("mean JCT", 1.6, "× lower at best"),
        _in_abstract("tail JCT", 2.5, "× lower at best"),
        _in_abstract(
            "ECN-marked packets",
            33,
            "× fewer at best with DLRM, 29 with GPT-2",
            place="abstract; the split from notes of others",
        ),
        _in_notes("mean iteration time", 1.4, "× lower (P99 1.5); with arrivals 1.5 (2.2)", "Themis"),
        _in_notes("mean iteration time", 1.6, "× lower with arrivals (P99 2.5)", "Pollux"),
    ),
    signature=Signature(
        title="Who communicates in turns does not wait for the network",
        workload=(
            "24 GPUs in 12 nodes with a port of 50 Gb/s each, gangs of 3 and 5, iterations of 0.2, 0.4 and 0.8 s, "
            "30 to 50 % of them communication, load 0.8"
        ),
        source="Rajasekaran et al., NSDI 2024: mean JCT against the host alone; the size of the effect is ours",
        experiment=partial(across_nodes, load=0.8),
        baseline="cassini",
        changes={"network": "none"},
        effect=Effect(MEAN_JCT, "lower", least=0.05),
        deciding="network",
    ),
)
