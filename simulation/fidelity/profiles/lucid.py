"""S-Lab/Lucid, its simulator: a clock of whole seconds, virtual clusters that share nothing, best-fit consolidation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from simulation.engine.loop import Loop
from simulation.engine.policy import Policy
from simulation.fidelity.profiles.lucid_charge import LATE_S, CheckpointWork
from simulation.fidelity.profiles.lucid_choice import ChooseThenPlace, by_remaining, by_service
from simulation.fidelity.profiles.lucid_order import UnrankedAlone
from simulation.fidelity.profiles.profile import Agreement, Emulation, Inputs, Profile
from simulation.fidelity.results import Results, UnreadableError, numbers, read_table
from simulation.mechanisms.ordering import Arrival, Shortest
from simulation.mechanisms.placement import ConsolidateStrictly
from simulation.mechanisms.preemption import NoPreemption
from simulation.mechanisms.sizing import FixedGang
from simulation.mechanisms.tenancy import NoQuota
from simulation.mechanisms.walk import StopAtHead
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload
from simulation.systems.policy import RecipePolicy
from simulation.systems.recipe import Recipe

GPUS_PER_NODE = 8
SECOND_S, ROUND_S = 1.0, 60.0  # between two choices
LOW_SERVICE_GPU_S = 18_000.0

FIFO = Recipe(
    ordering=Arrival(), walk=StopAtHead(), placement=ConsolidateStrictly(node="best"), preemption=NoPreemption(),
    sizing=FixedGang(), tenancy=NoQuota(),
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A policy for each virtual cluster, how work is charged, and by how much an end is noticed late."""

    policy: Callable[[], Policy]
    loop: type[Loop] = Loop
    late_s: float = 0.0


SETTINGS: dict[str, Setting] = {
    "fifo": Setting(lambda: RecipePolicy(FIFO)),
    "sjf": Setting(lambda: RecipePolicy(replace(FIFO, ordering=Shortest()))),
    "qssf": Setting(lambda: RecipePolicy(replace(FIFO, ordering=UnrankedAlone()))),
    "srtf": Setting(lambda: ChooseThenPlace(by_remaining, SECOND_S), CheckpointWork, LATE_S),
    "tiresias": Setting(lambda: ChooseThenPlace(by_service(LOW_SERVICE_GPU_S), ROUND_S), CheckpointWork, LATE_S),
}


def emulate(inputs: Inputs, policy: str, results: Results | None) -> tuple[Emulation, ...]:
    """One run of the engine for each virtual cluster."""
    if policy not in SETTINGS:
        raise ValueError(f"no settings for the policy {policy!r}")
    setting, nodes = SETTINGS[policy], _nodes(inputs.cluster)
    return tuple(
        Emulation(
            Scenario(cluster=_cluster(name, nodes), workload=Workload(jobs=jobs)), setting.policy(), loop=setting.loop
        )
        for name, jobs in _jobs(inputs.trace, setting.late_s, results).items()
    )


def _nodes(path: Path) -> dict[str, int]:
    """Nodes of each virtual cluster; its name stands in the first column, which has no name."""
    rows = read_table(path)
    return {row[""]: int(count) for row, count in zip(rows, numbers(path, rows, "num"), strict=True)}


def _cluster(name: str, nodes: dict[str, int]) -> Cluster:
    if name not in nodes:
        raise UnreadableError(f"virtual cluster {name!r} has jobs and no nodes")
    return Cluster(name=name, pools=[Pool(name=name, gpu_model="GPU", nodes=nodes[name], gpus_per_node=GPUS_PER_NODE)])


def _jobs(path: Path, late_s: float, results: Results | None) -> dict[str, JobTable]:
    """Jobs of each virtual cluster: those that are submitted together in the order in which the peer took them."""
    rows = read_table(path)
    if results is not None and "seq" in results.extra:
        place = dict(zip(results.id, map(int, results.extra["seq"]), strict=True))
        rows.sort(key=lambda row: place[row["job_id"]])
    submit_s, duration_s, gpus = (numbers(path, rows, column) for column in ("submit", "duration", "gpus"))
    members: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        members.setdefault(row["vc"], []).append(i)
    return {
        name: JobTable(
            id=[rows[i]["job_id"] for i in mine],
            submit_s=submit_s[mine].tolist(),
            duration_s=(duration_s[mine] + late_s).tolist(),
            gpus=gpus[mine].astype(int).tolist(),
        )
        for name, mine in members.items()
    }


def _inputs(folder: Path) -> Inputs:
    return Inputs(folder / "trace.csv", folder / "vc_config.csv")


def _without_results(peer: Path) -> list[tuple[str, Inputs]]:
    folders = sorted(path.parent for path in peer.glob("*/trace.csv"))
    return [(folder.name, _inputs(folder)) for folder in folders if not any(folder.glob("results-*.csv"))]


PROFILE = Profile(
    folder="lucid",
    inputs=_inputs,
    unrecorded=_without_results,
    emulate=emulate,
    exactly=Agreement(each_job_s=0.0, preemptions=True),
    policies_without_results=tuple(SETTINGS),
)
