"""HiveD: tenants own cells of the cluster, and get them as if the cluster were theirs alone."""

from __future__ import annotations

from simulation.generators.contended import parts_and_wholes
from simulation.mechanisms.cells.guaranteed import GuaranteedCells
from simulation.mechanisms.ordering import Arrival
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import Killing
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.walk import StopAtTenantHead
from simulation.metrics.measures import wait_of
from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="hived",
    name="HiveD",
    title="HiveD: Sharing a GPU Cluster for Deep Learning with Guarantees",
    workload="training",
    objectives=("fairness", "utilisation"),
    resources=("topology", "preemption", "borrowing", "heterogeneous"),
    description=(
        "A tenant owns cells: whole nodes, and halves and quarters of nodes for what is left of its share. Its jobs "
        "take the smallest cell that holds them, first come, first served; a cell is bound to GPUs only while it is "
        "used, and split or merged with its buddies as needed. So a job starts just when it would in a cluster of "
        "these cells alone. Jobs that wait may run as guests on GPUs that no owner uses, and are killed when an owner "
        "needs them. Left out: priorities inside a tenant and lazy preemption, cells above the node, pinned cells; "
        "while a node is down its cells are not replaced."
    ),
    sources=("Zhao et al., OSDI 2020", "microsoft/hivedscheduler (examples, feature guide)"),
    recipe=Recipe(
        ordering=Arrival(),
        walk=StopAtTenantHead(),
        placement=ConsolidateStrictly(node="best"),
        preemption=Killing(),
        sizing=FixedGang(),
        tenancy=GuaranteedCells(),
    ),
    venue="OSDI",
    year=2020,
    claims=(
        Claim(
            metric="extra queueing delay from sharing anomaly in quota-based sharing",
            value=1000.0,
            unit="minutes at worst, none under HiveD",
            baseline="three deep-learning schedulers with quotas in place of cells",
            hardware="a deployment, and simulated clusters",
            workload="a production trace",
            kind="testbed and simulation",
            place="abstract",
            confidence="read",
        ),
    ),
    signature=Signature(
        title="Small jobs of one tenant never stand in the way of another’s gangs",
        workload="two tenants with half of 32 GPUs each: jobs of 1 to 4 at a load of 0.85, and gangs of 8 and 16",
        source="Zhao et al., OSDI 2020: the sharing anomaly; the size of the effect is ours",
        experiment=parts_and_wholes,
        baseline="fcfs-quota",
        changes={"placement.node": "best"},
        effect=Effect(wait_of("b"), "lower", least=0.3),
        deciding="tenancy",
    ),
)
