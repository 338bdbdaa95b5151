"""Figures of a pool with the origin of each: typed, imported, or taken from the catalogue of GPU models.

A cluster document keeps them as `figures[pool][field] = {"origin", "source"}` beside the values themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planner.catalog.hardware import published
from planner.catalog.models import Revision
from simulation.hardware import Links
from simulation.provenance import Origin, weakest

Told = dict[str, str]
"""Origin and source of one figure."""

# Groups of simulation.scenario.Origins. Memory of a GPU is in none: no metric depends on it.
CLUSTER_FIELDS = (
    "gpu_model", "nodes", "gpus_per_node", "speed", "cores_per_node", "memory_per_node_bytes", "links", "boot_s",
    "interruptions", "starts_down",
)  # fmt: skip
POWER_FIELDS = ("idle_w", "peak_w", "node_overhead_w", "off_w")
FROM_CATALOGUE = ("gpu_memory_bytes", "idle_w", "peak_w")
PLAIN = {
    "speed": 1.0, "node_overhead_w": 0.0, "off_w": 0.0, "boot_s": 0.0, "starts_down": False,
    "links": Links().model_dump(mode="json"),
}  # fmt: skip
"""Values that say nothing: the reference speed, no overhead counted, links unknown. They need no origin."""


def figure(origin: Origin | str, source: str) -> Told:
    return {"origin": str(Origin(origin)), "source": source}


def told_in(revision: Revision) -> dict[str, dict[str, Told]]:
    """Origin of every figure by pool; one that was never told its own has that of its group."""
    document = revision.document
    of_cluster, of_power = (
        dict.fromkeys(fields, figure(document["origins"][group], revision.source.title))
        for group, fields in (("cluster", (*CLUSTER_FIELDS, "gpu_memory_bytes")), ("power", POWER_FIELDS))
    )
    known = document.get("figures", {})
    return {pool["name"]: of_cluster | of_power | known.get(pool["name"], {}) for pool in document["cluster"]["pools"]}


def resolved(
    pool: dict[str, Any], told: Told, before: dict[str, Any] | None, known: dict[str, Told]
) -> dict[str, Told]:
    """Origin of each figure of a pool; blanks of `pool` are filled in place from the catalogue where it has them.

    A value equal to the one `before` keeps the origin `known` for it; any other value was `told` just now.
    """
    found: dict[str, Told] = {}
    for field in (*CLUSTER_FIELDS, *POWER_FIELDS, "gpu_memory_bytes"):
        if pool.get(field) is None and field in FROM_CATALOGUE:
            pool[field], cited = published(pool["gpu_model"], field)
            if cited is not None:
                found[field] = cited
        elif pool.get(field) in (None, PLAIN.get(field)):
            continue
        elif before is not None and field in known and before.get(field) == pool[field]:
            found[field] = known[field]
        else:
            found[field] = told
    return found


def group_origins(figures: Iterable[dict[str, Told]], otherwise: Origin) -> dict[str, str]:
    """Origins of the groups cluster and power: each the weakest of the figures in it, `otherwise` where it has none."""
    figures = list(figures)
    return {
        "cluster": str(_weakest_of(figures, CLUSTER_FIELDS, otherwise)),
        "power": str(_weakest_of(figures, POWER_FIELDS, otherwise)),
    }


def _weakest_of(figures: list[dict[str, Told]], fields: tuple[str, ...], otherwise: Origin) -> Origin:
    origins = [pool[field]["origin"] for pool in figures for field in fields if field in pool]
    return weakest(origins) if origins else otherwise
