"""An accepted table of nodes to the pools of a cluster; nodes that take no part are left out and counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from simulation.formats.tables import Table
from simulation.scenario import Pool, Purchase

MAX_GPUS_PER_NODE = 64
NO_GPU = "no GPU"
GPUS_UNKNOWN = "GPU count unknown"
NOT_SCHEDULABLE = "takes no jobs (down, drained, not responding)"
TOO_MANY = f"more than {MAX_GPUS_PER_NODE} GPUs in one node"
NOT_NAMED = "not-named"
"""GPU model of nodes whose model the file does not name."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """Pools of equal nodes; `left_out`: reason -> number of nodes; `unmapped`: models that the mapping lacks."""

    pools: list[Pool]
    left_out: dict[str, int]
    unmapped: tuple[str, ...]


def pools(
    table: Table,
    models: Mapping[str, str] | None = None,
    *,
    by_partition: bool = False,
    schedulable_only: bool = True,
    purchase: Purchase = "owned",
) -> Inventory:
    """Group nodes by GPU model and GPUs a node (and partitions, where asked). Powers and speeds are left unknown.

    `models`: model as written -> name in the catalogue; a model that is not in it keeps its own name and is listed.
    ValueError for more than 50,000 equal nodes.
    """
    mapping = models or {}
    left_out: Counter[str] = Counter()
    unmapped: set[str] = set()
    groups: dict[tuple[str, int, str], list[str]] = {}
    for row in table.rows():
        reason = _reason_to_leave_out(row["gpus"], row["schedulable"], schedulable_only)
        if reason is not None:
            left_out[reason] += 1
            continue
        raw = row["gpu_model"] or NOT_NAMED
        if raw not in mapping:
            unmapped.add(raw)
        partitions = "+".join(sorted(row["partitions"] or ())) if by_partition else ""
        groups.setdefault((mapping.get(raw, raw), row["gpus"], partitions), []).append(row["name"])
    found = [
        Pool(
            name=f"{model} x {gpus}" + (f" ({partitions})" if partitions else ""),
            gpu_model=model,
            nodes=len(names),
            gpus_per_node=gpus,
            purchase=purchase,
            node_names=sorted(names),
        )
        for (model, gpus, partitions), names in sorted(groups.items())
    ]
    return Inventory(found, dict(sorted(left_out.items())), tuple(sorted(unmapped)))


def _reason_to_leave_out(gpus: int | None, schedulable: bool | None, schedulable_only: bool) -> str | None:
    if gpus is None:
        return GPUS_UNKNOWN
    if gpus == 0:
        return NO_GPU
    if gpus > MAX_GPUS_PER_NODE:
        return TOO_MANY
    return NOT_SCHEDULABLE if schedulable_only and schedulable is False else None
