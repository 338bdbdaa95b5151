"""Files of the Tiresias simulator and its descendants: TRACE.csv and CLUSTER.csv beside folders TRACE-CLUSTER."""

from __future__ import annotations

from pathlib import Path

from simulation.fidelity.profiles.profile import Inputs
from simulation.fidelity.results import UnreadableError, numbers, read_table
from simulation.scenario import Cluster, JobTable, Pool

CLUSTER_COLUMNS = ("num_switch", "num_node_p_switch", "num_gpu_p_node")


def inputs(folder: Path) -> Inputs:
    """TRACE-CLUSTER -> the two files beside the folder. The name of a cluster has no hyphen."""
    trace, _, cluster = folder.name.rpartition("-")
    return Inputs(folder.parent / f"{trace}.csv", folder.parent / f"{cluster}.csv")


def without_results(peer: Path, cluster: str) -> list[tuple[str, Inputs]]:
    """Traces of which no folder holds results, to be run on `cluster` (the name of its file)."""
    recorded = {inputs(path.parent).trace for path in peer.glob("*/results-*.csv")}
    return [(name, each) for name, each in every_trace(peer, cluster) if each.trace not in recorded]


def every_trace(peer: Path, cluster: str) -> list[tuple[str, Inputs]]:
    """All traces of a peer, each to be run on `cluster`."""
    traces = [path for path in sorted(peer.glob("*.csv")) if _is_trace(path)]
    return [(f"{path.stem}-{cluster}", Inputs(path, peer / f"{cluster}.csv")) for path in traces]


def read_cluster(path: Path, one_switch_a_gang: bool) -> Cluster:
    """Equal nodes under switches; where a gang may not span switches, each switch is a pool of its own.

    A gang stays among GPUs of one kind, so the GPUs of such a switch are given a kind of their own.
    """
    rows = read_table(path)
    if len(rows) != 1:
        raise UnreadableError(f"{path.name}: expected one row, found {len(rows)}")
    switches, nodes, gpus = (int(numbers(path, rows, column)[0]) for column in CLUSTER_COLUMNS)
    if not one_switch_a_gang:
        switches, nodes = 1, switches * nodes
    return Cluster(
        name=path.stem,
        pools=[
            Pool(name=f"switch-{i}", gpu_model=f"GPU under switch {i}", nodes=nodes, gpus_per_node=gpus)
            for i in range(switches)
        ],
    )


def read_jobs(path: Path, rows: list[dict[str, str]], duration_s: list[float], time_unit_s: float) -> JobTable:
    """The jobs of a trace; submit times of the file are in units of `time_unit_s`."""
    submit_s = numbers(path, rows, "submit_time") * time_unit_s
    return JobTable(
        id=[row["job_id"] for row in rows],
        submit_s=submit_s.tolist(),
        duration_s=duration_s,
        gpus=[int(gpus) for gpus in numbers(path, rows, "num_gpu")],
    )


def _is_trace(path: Path) -> bool:
    with path.open(encoding="utf-8") as lines:
        return lines.readline().startswith("job_id,")
