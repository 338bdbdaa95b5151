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
NONE_WHOLE = "has no whole GPU that jobs can be given (lost, or cut into slices)"
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
    for at in range(len(table)):
        reason = _reason_to_leave_out(table, at, schedulable_only)
        if reason is None:
            kept.append(at)
        else:
            left_out[reason] += 1
    return kept, dict(sorted(left_out.items()))


def gpus_of(table: Table, at: int, *, schedulable_only: bool) -> int | None:
    """GPUs of a node: installed, or those that jobs can be given where the source says."""
    usable: int | None = table["gpus_usable"][at]
    installed: int | None = table["gpus"][at]
    return usable if schedulable_only and usable is not None else installed


def pools(table: Table, models: Mapping[str, str] | None = None, *, schedulable_only: bool = True) -> Inventory:
    """Group nodes by GPU model, GPUs a node and price class. Powers and speeds are left unknown.

    `models`: model as written -> name in the catalogue; a model that is not in it keeps its own name and is listed
    in `unmapped`. A pool is called by its model, with GPUs a node and price class where pools of a model differ.
    ValueError for more than 50,000 equal nodes.
    """
    mapping = models or {}
    rows, left_out = choose_nodes(table, schedulable_only=schedulable_only)
    unmapped: set[str] = set()
    groups: dict[tuple[str, int, str | None], list[str]] = {}
    for at in rows:
        written = table["gpu_model"][at] or NOT_NAMED
        if written not in mapping:
            unmapped.add(written)
        gpus = gpus_of(table, at, schedulable_only=schedulable_only) or 0
        key = (mapping.get(written, written), gpus, table["purchase"][at])
        groups.setdefault(key, []).append(table["name"][at])
    found = [
        Pool(
            name=_pool_name(key, list(groups)),
            gpu_model=key[0],
            nodes=len(names),
            gpus_per_node=key[1],
            node_names=sorted(names),
            **({"purchase": key[2]} if key[2] else {}),
        )
        for key, names in groups.items()
    ]
    found.sort(key=lambda pool: (-pool.gpus, pool.gpu_model, pool.gpus_per_node))
    return Inventory(found, left_out, tuple(sorted(unmapped)))


def _pool_name(key: tuple[str, int, str | None], keys: list[tuple[str, int, str | None]]) -> str:
    """The model, with as much more as it takes to tell pools of one model apart."""
    model, gpus, purchase = key
    same = [other for other in keys if other[0] == model]
    size = f", {gpus} a node" if len({other[1] for other in same}) > 1 else ""
    price = f", {purchase or 'price class not stated'}" if len({other[2] for other in same}) > 1 else ""
    return f"{model}{size}{price}"


def _reason_to_leave_out(table: Table, at: int, schedulable_only: bool) -> str | None:
    gpus = gpus_of(table, at, schedulable_only=schedulable_only)
    if gpus is None:
        return GPUS_UNKNOWN
    if gpus == 0:
        return NONE_WHOLE if table["gpus"][at] else NO_GPU
    if gpus > MAX_GPUS_PER_NODE:
        return TOO_MANY
    return NOT_SCHEDULABLE if schedulable_only and table["schedulable"][at] is False else None
