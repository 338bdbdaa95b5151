"""Figures of a nodes table for the preview. Devices in unknown use are neither free nor taken."""

from __future__ import annotations

from collections import Counter
from typing import Any

from simulation.formats.tables import Table


def node_totals(table: Table) -> dict[str, Any]:
    """GPUs installed, schedulable, in use and free; None for the last three where a node does not say."""
    gpus, used = table["gpus"], table["gpus_in_use"]
    by_model: Counter[str] = Counter()
    for n, model in zip(gpus, table["gpu_model"], strict=True):
        if n:
            by_model[model or "model not named"] += n
    usable = [n if k is None else k for n, k in zip(gpus, table["gpus_usable"], strict=True)]
    with_gpus = [(n, k, u, s) for n, k, u, s in zip(gpus, usable, used, table["schedulable"], strict=True) if n]
    states_known = all(takes is not None for *_, takes in with_gpus)
    all_known = all(u is not None for _, _, u, _ in with_gpus)
    return {
        "nodes": len(table),
        "gpu_nodes": len(with_gpus),
        "cpu_nodes": sum(1 for n in gpus if n == 0),
        "gpu_unknown_nodes": sum(1 for n in gpus if n is None),
        "gpus": sum(n for n, *_ in with_gpus),
        "gpus_schedulable": sum(k for _, k, _, takes in with_gpus if takes) if states_known else None,
        "gpus_in_use": sum(u for _, _, u, _ in with_gpus if u is not None) if all_known else None,
        "gpus_free": sum(k - u for _, k, u, takes in with_gpus if takes is not False) if all_known else None,
        "use_unknown_nodes": sum(1 for _, _, u, _ in with_gpus if u is None),
        "by_model": dict(sorted(by_model.items())),
        "slices": dict(sorted(_slices(table).items())),
    }


def _slices(table: Table) -> Counter[str]:
    found: Counter[str] = Counter()
    for slices in table["slices"]:
        for entry in slices or ():
            profile, _, amount = entry.rpartition(":")
            found[profile] += int(amount)
    return found
