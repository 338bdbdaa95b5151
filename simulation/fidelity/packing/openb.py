"""hkust-adsl/kubernetes-scheduler-simulator: lists of nodes and pods, and published curves of many packings of them."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from simulation.fidelity.packing.curves import Curves, Theirs, curve_rows
from simulation.fidelity.packing.demand import until_full
from simulation.fidelity.packing.fragments import typical
from simulation.fidelity.packing.nodes import MILLI, Demands, Nodes, make_nodes
from simulation.fidelity.packing.scores import ALIGNED, ANY, BEST_FIT, CLUSTERED, LEAST_FRAGMENTED, PACKED
from simulation.fidelity.results import UnreadableError
from simulation.fidelity.rows import Row
from simulation.records import Floats, Ints

FOLDER = "openb"
NODES, ALLOCATED, FRAGMENTED = "openb_node_list_", "expected_analysis_allo_discrete", "expected_analysis_frag_discrete"

# policy, after the number that orders them -> opcode
POLICIES = {
    "Random": ANY, "DotProd": ALIGNED, "GpuClustering": CLUSTERED, "GpuPacking": PACKED, "BestFit": BEST_FIT,
    "FGD": LEAST_FRAGMENTED,
}  # fmt: skip

Table = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    peer: Path
    workload: str
    policy: str
    tune: float  # demand in all, in capacities
    theirs: Theirs


def cases(reference: Path) -> dict[str, Callable[[], list[Row]]]:
    """Name -> rows: each workload and policy of the published curves whose pods lie in the folder."""
    return {f"{FOLDER}/{case.workload}/{case.policy}": partial(rows_of, case) for case in _published(reference)}


def rows_of(case: Case) -> list[Row]:
    """The rows of one case; a file that is missing or not understood is a failing row that says so."""
    name = f"{FOLDER}/{case.workload}/{case.policy}"
    try:
        models: dict[str, int] = {}
        nodes, pods = _nodes(case.peer, models), _demands(case.peer, case.workload, models)
        # as many packings as theirs; the numbers that those drew cannot be drawn again
        ours = [_pack(case, pods, nodes, seed) for seed in range(len(case.theirs.allocated))]
    except (ValueError, OSError) as error:
        return [Row(name, f"cannot be run: {error}", 1.0, None, unit="run")]
    return curve_rows(name, case.theirs, ours)


def _published(reference: Path) -> list[Case]:
    peer = reference / FOLDER
    if not (_exists(peer, ALLOCATED) and _exists(peer, FRAGMENTED)):
        return []
    allocated, fragmented = (_by_case(_table(peer, name)) for name in (ALLOCATED, FRAGMENTED))
    return [
        Case(peer, *key, Theirs(_curves(allocated[key]), _curves(fragmented[key])))
        for key in allocated
        if key in fragmented and _exists(peer, key[0])
    ]


def _by_case(table: Table) -> dict[tuple[str, str, float], Table]:
    found: dict[tuple[str, str, float], Table] = {}
    for row in table:
        found.setdefault((row["workload"], row["sc_policy"], float(row["tune"])), []).append(row)
    return found


def _curves(table: Table) -> Floats:
    """(seeds, demand in % of capacity) %; nan where a run has no such point."""
    columns = sorted(int(name) for name in table[0] if name.isdigit())
    return np.array([[float(row[str(at)] or "nan") for at in columns] for row in table])


def _pack(case: Case, pods: Demands, nodes: Nodes, seed: int) -> Curves:
    """One packing. Nodes are taken in the order of a draw: among those of equal score the first wins."""
    policy = case.policy.partition("-")[2]
    if policy not in POLICIES:
        raise UnreadableError(f"no settings for the policy {case.policy!r}")
    rng = np.random.default_rng(seed)
    empty = nodes.at(rng.permutation(len(nodes.cpu)))
    capacity = MILLI * int(nodes.size.sum())
    arriving = pods.at(until_full(pods, int(case.tune * capacity), rng))
    return Curves.of_packing(empty, arriving, POLICIES[policy], typical(pods), rng, case.theirs.allocated.shape[1])


def _nodes(peer: Path, models: dict[str, int]) -> Nodes:
    lists = [path.name.partition(".")[0] for path in sorted(peer.glob(f"{NODES}*.csv*"))]
    if len(lists) != 1:
        raise UnreadableError(f"{peer.name}: {len(lists)} lists of nodes ({NODES}*), expected one")
    table = _table(peer, lists[0])
    model = np.array([_bit(models, row["model"]) for row in table], dtype=np.int64)
    return make_nodes(_column(table, "cpu_milli"), _column(table, "memory_mib"), _column(table, "gpu"), model)


def _demands(peer: Path, workload: str, models: dict[str, int]) -> Demands:
    table = _table(peer, workload)
    permitted = [sorted({name for name in row.get("gpu_spec", "").split("|") if name}) for row in table]
    bits = np.array([sum(_bit(models, name) for name in names) for names in permitted], dtype=np.int64)
    cpu, memory, gpus, milli = (_column(table, name) for name in ("cpu_milli", "memory_mib", "num_gpu", "gpu_milli"))
    return Demands(cpu, memory, gpus, milli, bits)


def _bit(models: dict[str, int], name: str) -> int:
    return models.setdefault(name, 1 << len(models))


def _column(table: Sequence[dict[str, str]], name: str) -> Ints:
    for number, row in enumerate(table, start=2):
        if not row.get(name, "").isdigit():
            raise UnreadableError(f"line {number}: {name} is {row.get(name)!r}, expected a whole number")
    return np.array([int(row[name]) for row in table], dtype=np.int64)


def _exists(peer: Path, name: str) -> bool:
    return any((peer / f"{name}{suffix}").is_file() for suffix in (".csv", ".csv.gz"))


def _table(peer: Path, name: str) -> Table:
    plain = peer / f"{name}.csv"
    if plain.is_file():
        return list(csv.DictReader(io.StringIO(plain.read_text(encoding="utf-8"))))
    data = gzip.decompress((peer / f"{name}.csv.gz").read_bytes())
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"))))
