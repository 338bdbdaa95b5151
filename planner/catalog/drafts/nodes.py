"""Nodes of an inventory -> a cluster revision, with the origin of every figure of its pools."""

from __future__ import annotations

from typing import Any

from planner.catalog.drafts.draft import Context, Draft, drafted
from planner.catalog.figures import Told, figure, group_origins, resolved
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts import nodes
from simulation.formats.parts.part import source_words
from simulation.formats.reading import Reading
from simulation.provenance import Origin

COUNTED = ("name", "gpu_model", "nodes", "gpus_per_node", "node_names", "purchase")
"""What the file itself says of a pool; the rest is the catalogue's, and told as such."""


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    part = nodes.part(reading, interview)
    made = drafted(Kind.CLUSTER, part)
    if part.cluster is None:
        return made
    pools = [pool.model_dump(mode="json", include=set(COUNTED)) for pool in part.cluster.pools]
    told = figure(part.origin, source_words(reading))
    chosen = figure(Origin.ASSUMED, f"model chosen by {context.person} on import")
    figures = {
        pool["name"]: _figures(pool, told, chosen if pool["gpu_model"] in part.chosen else None) for pool in pools
    }
    made.document = {
        "cluster": {"name": "cluster", "pools": pools},
        "origins": group_origins(figures.values(), part.origin),
        "figures": figures,
    }
    return made


def _figures(pool: dict[str, Any], told: Told, chosen: Told | None) -> dict[str, Told]:
    """Counts are the file's own. What hangs on a model that a person chose is no stronger than that choice."""
    found = resolved(pool, told, None, {})
    if chosen is None:
        return found
    return {
        field: was if field in COUNTED else {**chosen, "source": f"{was['source']}; {chosen['source']}"}
        for field, was in found.items()
    }
