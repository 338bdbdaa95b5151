"""Optimus: GPUs go to whoever ends soonest by them, as loss curves and speeds foretell."""

from __future__ import annotations

from functools import partial

from simulation.generators.learning import converging
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.programs.marginal_gain import MarginalGain
from simulation.metrics.measures import MAKESPAN, MEAN_JCT
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="optimus",
    name="Optimus",
    title="Optimus: An Efficient Dynamic Resource Scheduler for Deep Learning Clusters",
    workload="training",
    objectives=("jct", "makespan"),
    resources=("elastic", "topology", "preemption"),
    description=(
        "The losses that a job has shown are fitted by 1 / (a k + b) + c, recent ones with more weight, and tell how "
        "many epochs it has left; its speed tells how long they take with so many GPUs. Every slot each job gets its "
        "smallest gang, in order of arrival; then GPU by GPU goes to the job whose time left falls most by it, until "
        "none would fall. A young job's gains count a little less. Jobs keep to few nodes. Between slots a new job "
        "begins small on free GPUs. Here jobs reduce over all GPUs: parameter servers, and with them the choice "
        "between a server and a worker and the dominant resource, are left out. Speeds are known where the original "
        "measures some and fits the rest; before a curve can be fitted, the epochs asked for count as all to be done."
    ),
    sources=(
        "Peng et al., EuroSys 2018: abstract",
        "pengyanghua/optimus, scheduler (slot, estimator, weights of losses, order of allocation)",
        "by memory: damping of young jobs; ours: new jobs begin between slots",
    ),
    recipe=Recipe(placement=ConsolidateStrictly(node="best"), sizing=MarginalGain()),
    venue="EuroSys",
    year=2018,
    claims=(
        Claim(
            metric="mean JCT",
            value=139.0,
            unit="% better, about, in its own words",
            baseline="DRF and Tetris (names by memory)",
            hardware="7 CPU and 6 GPU servers",
            workload="9 training jobs, MXNet",
            kind="testbed",
            place="abstract",
            confidence="read",
        ),
        Claim(
            metric="makespan",
            value=63.0,
            unit="% better",
            baseline="DRF and Tetris (names by memory)",
            hardware="7 CPU and 6 GPU servers",
            workload="9 training jobs, MXNet",
            kind="testbed",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="GPUs move to jobs that scale well and have long to go, and the mean falls",
        workload="32 GPUs, jobs of three shapes of scaling that all ask for 2, end by their loss, load 0.6",
        source="Peng et al., EuroSys 2018: mean JCT; the baseline of equal parts and the size of the effect are ours",
        experiment=partial(converging, load=0.6),
        baseline="fair-share",
        effect=Effect(MEAN_JCT, "lower", least=0.15),
        also=(Effect(MAKESPAN, "lower"),),
        deciding="sizing",
    ),
)
