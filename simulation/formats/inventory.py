"""An accepted table of nodes to the pools of a cluster; nodes that take no part are left out and counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from simulation.formats.tables import Table
from simulation.scenario import Pool

MAX_GPUS_PER_NODE = 64
NO_GPU = "no GPU"
GPUS_UNKNOWN = "GPU count unknown"
NOT_SCHEDULABLE = "takes no jobs at present (down, drained, not responding)"
TOO_MANY = f"more than {MAX_GPUS_PER_NODE} GPUs in one node"
NOT_NAMED = "unnamed GPU"
"""GPU model of nodes whose model the file does not name."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """Pools of equal nodes, the largest first; `left_out`: reason -> number of nodes; `unmapped`: see `pools`."""

    pools: list[Pool]
    left_out: dict[str, int]
    unmapped: tuple[str, ...]


def choose_nodes(table: Table, *, schedulable_only: bool = True) -> tuple[list[int], dict[str, int]]:
    """Rows of the nodes that make the cluster, and how many others there are, by reason."""
    kept: list[int] = []
    left_out: Counter[str] = Counter()
    for at, (gpus, takes_jobs) in enumerate(zip(table["gpus"], table["schedulable"], strict=True)):
        reason = _reason_to_leave_out(gpus, takes_jobs, schedulable_only)
        if reason is None:
            kept.append(at)
        else:
            left_out[reason] += 1
    return kept, dict(sorted(left_out.items()))


def pools(table: Table, models: Mapping[str, str] | None = None, *, schedulable_only: bool = True) -> Inventory:
    """Group nodes by GPU model and GPUs a node. Powers and speeds are left unknown.

    `models`: model as written -> name in the catalogue; a model that is not in it keeps its own name and is listed
    in `unmapped`. A pool is called by its model, with the GPUs a node where pools of a model differ in them.
    ValueError for more than 50,000 equal nodes.
    """
    mapping = models or {}
    rows, left_out = choose_nodes(table, schedulable_only=schedulable_only)
    unmapped: set[str] = set()
    groups: dict[tuple[str, int], list[str]] = {}
    for at in rows:
        written = table["gpu_model"][at] or NOT_NAMED
        if written not in mapping:
            unmapped.add(written)
        groups.setdefault((mapping.get(written, written), table["gpus"][at]), []).append(table["name"][at])
    sizes = Counter(model for model, _ in groups)
    found = [
        Pool(
            name=model if sizes[model] == 1 else f"{model}, {gpus} a node",
            gpu_model=model,
            nodes=len(names),
            gpus_per_node=gpus,
            node_names=sorted(names),
        )
        for (model, gpus), names in groups.items()
    ]
    found.sort(key=lambda pool: (-pool.gpus, pool.gpu_model, pool.gpus_per_node))
    return Inventory(found, left_out, tuple(sorted(unmapped)))


def _reason_to_leave_out(gpus: int | None, schedulable: bool | None, schedulable_only: bool) -> str | None:
    if gpus is None:
        return GPUS_UNKNOWN
    if gpus == 0:
        return NO_GPU
    if gpus > MAX_GPUS_PER_NODE:
        return TOO_MANY
    return NOT_SCHEDULABLE if schedulable_only and schedulable is False else None
