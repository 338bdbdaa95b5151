"""Buddy blocks: power-of-two counts inside one node, or whole nodes. Where they fit in sum, they always fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulation.records import Ints

Pieces = tuple[tuple[int, int], ...]  # (node, GPUs)


def ladder(most: int) -> list[int]:
    """1, 2, 4, ... up to `most`."""
    return [1 << power for power in range(most.bit_length())]


def place_blocks(sizes: Mapping[int, int], held: Mapping[int, Pieces], room: Ints) -> dict[int, Pieces]:
    """Nodes for the blocks `sizes` (job -> GPUs), the largest first; a job is left out where there is no place for it.

    A block that is held as it is stays, unless a larger one has taken its place; a larger one goes where it moves
    the fewest of them. room (nodes,): GPUs of each node that may be used, those of `held` included.
    """
    stay = {job: held[job] for job, gpus in sizes.items() if job in held and sum(g for _, g in held[job]) == gpus}
    free = {node: int(gpus) for node, gpus in enumerate(room.tolist()) if gpus > 0}
    kept = _kept(stay, free)
    placed: dict[int, Pieces] = {}
    for job in sorted(sizes, key=lambda job: (-sizes[job], job not in stay)):
        own = stay.get(job, ())
        for node, gpus in own:
            kept[node] -= gpus
        pieces = own if own and all(free.get(n, 0) >= g for n, g in own) else _block(sizes[job], free, kept)
        for node, gpus in pieces:
            free[node] -= gpus
        if pieces:
            placed[job] = pieces
    return placed


def _kept(stay: Mapping[int, Pieces], free: Mapping[int, int]) -> dict[int, int]:
    kept = dict.fromkeys(free, 0)
    for pieces in stay.values():
        for node, gpus in pieces:
            kept[node] = kept.get(node, 0) + gpus
    return kept


def _block(gpus: int, free: Mapping[int, int], kept: Mapping[int, int]) -> Pieces:
    """One node where the fewest GPUs that others hold are moved, then where least is left; else whole nodes."""
    fitting = [node for node in free if free[node] >= gpus]
    if fitting:
        node = min(fitting, key=lambda node: (max(0, kept[node] + gpus - free[node]), free[node], node))
        return ((node, gpus),)
    return _over_nodes(gpus, sorted(free, key=lambda node: (-free[node], kept[node], node)), free)


def _over_nodes(gpus: int, nodes: Sequence[int], free: Mapping[int, int]) -> Pieces:
    pieces = []
    for node in nodes:
        taken = min(gpus, free[node])
        if taken:
            pieces.append((node, taken))
            gpus -= taken
    return tuple(pieces) if gpus == 0 else ()
