"""Chronus: deadlines guaranteed in leases, best-effort jobs in between."""

from __future__ import annotations

from functools import partial

from simulation.generators.elastic import guaranteed_and_best_effort
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.programs.leases import LeasePlan
from simulation.metrics.measures import BEST_EFFORT_JCT, DEADLINES_MET
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

_claim = partial(
    Claim,
    baseline="existing schedulers",
    hardware="large-scale simulation (prototype on 120 GPUs)",
    workload="Helios and Philly traces",
    kind="simulation",
    place="abstract",
    confidence="read",
)

SYSTEM = System(
    slug="chronus",
    name="Chronus",
    title="Chronus: A Novel Deadline-aware Scheduler for Deep Learning Training Jobs",
    workload="training",
    objectives=("deadline", "jct"),
    resources=("topology", "preemption", "admission"),
    description=(
        "Time is cut into leases. A job with a deadline is accepted if a plan in whole leases keeps all promises: a "
        "greedy of latest fits answers, and an integer program where that fails. When a lease begins, those whose turn "
        "it is get their GPUs, as few as is safe while others wait. The rest fills up with jobs without a promise, the "
        "least remaining GPU-time first. Run times are planned with a margin. Left out: lists of soft deadlines, nodes "
        "switched off by night, tenants, the profiling run of a new job (run times are known on arrival) and the local "
        "search for placements: gangs are packed largest first."
    ),
    sources=("Gao et al., SoCC 2021", "S-Lab-System-Group/ChronusArtifact (leases, margin, spot order)"),
    recipe=Recipe(placement=ConsolidateStrictly(node="best"), sizing=LeasePlan()),
    venue="SoCC",
    year=2021,
    claims=(
        _claim(metric="deadline miss rate of SLO jobs", value=14.7, unit="× lower at best"),
        _claim(metric="completion time of best-effort jobs", value=19.9, unit="× lower at best"),
    ),
    signature=Signature(
        title="Fewer deadlines are missed, and best-effort jobs do not pay for it",
        workload="32 GPUs, more work than can be done in time (load 4); four of five jobs are due within 1.2 to 4 "
        "times their run time",
        source="Gao et al., SoCC 2021: misses and best-effort latency against EDF; the size of the effect is ours",
        experiment=partial(guaranteed_and_best_effort, load=4.0),
        baseline="edf",
        effect=Effect(DEADLINES_MET, "higher", relative=False),
        also=(Effect(BEST_EFFORT_JCT, "lower", least=0.2),),
        deciding="sizing",
    ),
)
