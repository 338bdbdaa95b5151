"""Where the GPUs of a job lie."""

from __future__ import annotations

from simulation.engine.holding import held_pieces
from simulation.engine.view import View
from simulation.world.links import CLUSTER, ISLAND, NODE, RACK

Pieces = tuple[tuple[int, int], ...]
"""(node, GPUs), by node."""


def pieces_of(view: View, job: int) -> Pieces:
    """What a running job holds, alone or shared; nothing for one that waits."""
    return tuple(sorted(held_pieces(view.ledger, job)))


def level_of(view: View, pieces: Pieces) -> int:
    """The worst link that GPUs cross: inside an island, a node, a rack, or over racks."""
    (node, gpus), *others = pieces
    if others:
        return CLUSTER if any(view.nodes.rack[other] != view.nodes.rack[node] for other, _ in others) else RACK
    return ISLAND if gpus <= view.nodes.island[node] else NODE
