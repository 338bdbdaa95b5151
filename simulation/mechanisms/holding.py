"""Where the GPUs of a job lie."""

from __future__ import annotations

from simulation.engine.view import View
from simulation.world.links import CLUSTER, ISLAND, NODE, RACK

Pieces = tuple[tuple[int, int], ...]
"""(node, GPUs), by node."""


def pieces_of(view: View, job: int) -> Pieces:
    """What a running job holds, alone or shared; nothing for one that waits."""
    s, pieces = view.ledger, []
    entry = s.first_entry[s.host[job]]
    while view.held[job] and entry >= 0:
        pieces.append((int(s.entry_node[entry]), int(s.entry_gpus[entry])))
        entry = s.entry_next[entry]
    return tuple(sorted(pieces))


def level_of(view: View, pieces: Pieces) -> int:
    """The worst link that GPUs cross: inside an island, a node, a rack, or over racks."""
    (node, gpus), *others = pieces
    if others:
        return CLUSTER if any(view.nodes.rack[other] != view.nodes.rack[node] for other, _ in others) else RACK
    return ISLAND if gpus <= view.nodes.island[node] else NODE
