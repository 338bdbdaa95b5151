"""Locality of a gang: the fewest nodes of one rack, any nodes of one rack, or GPUs anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from simulation.engine.holding import Pieces
from simulation.records import Ints


class Locality(IntEnum):
    """What a gang insists on; every level permits more than the one before."""

    FEWEST_NODES = 0  # all in one rack
    ONE_RACK = 1
    ANYWHERE = 2


class Nodes(NamedTuple):
    """Nodes among which a gang may be placed. All arrays (nodes,): GPUs free, GPUs in all, and the rack."""

    free: Ints
    size: Ints
    rack: Ints


def find(nodes: Nodes, gpus: int, locality: Locality) -> Pieces | None:
    """GPUs for a gang, the least used racks first and the least used nodes in them; None where no set will do.

    A gang that fits into one node goes, where it insists on that, to the fullest node with room: empty nodes are kept.
    """
    for order in _orders(nodes, gpus, locality):
        if nodes.free[order].sum() >= gpus:
            return _gather(nodes, order, gpus)
    return None


def gather(nodes: Nodes, gpus: int, locality: Locality) -> Pieces:
    """What a gang for which no set will do may hold on to while it waits for the rest: free GPUs where it would go."""
    if locality is Locality.FEWEST_NODES and gpus <= nodes.size.max(initial=0):
        return _gather(nodes, np.argsort(-nodes.free, kind="stable")[:1], gpus)
    order = next(_orders(nodes, gpus, locality), None)
    return [] if order is None else _gather(nodes, order, gpus)


def _orders(nodes: Nodes, gpus: int, locality: Locality) -> Iterator[Ints]:
    """Sets of nodes that meet the locality, the one to try first first; nodes in the order in which they are filled."""
    if locality is Locality.ANYWHERE:
        yield np.concatenate([_least_used(nodes, rack) for rack in _racks(nodes)])
    elif locality is Locality.FEWEST_NODES and gpus <= nodes.size.max(initial=0):
        fits = np.flatnonzero(nodes.free >= gpus)
        yield fits[np.argsort(nodes.free[fits], kind="stable")[:1]]
    else:
        for rack in _racks(nodes):
            order = _least_used(nodes, rack)
            if locality is Locality.FEWEST_NODES:
                order = order[np.argsort(-nodes.free[order], kind="stable")][: fewest_nodes(nodes.size, gpus)]
            yield order


def fewest_nodes(size: Ints, gpus: int) -> int:
    """How many nodes of `size` (nodes,) a gang needs when all are empty; one more than there are: too wide."""
    return 1 + int(np.searchsorted(np.cumsum(np.sort(size)[::-1]), gpus))


def _gather(nodes: Nodes, order: Ints, gpus: int) -> Pieces:
    """Down `order`, all that is free up to `gpus`."""
    free = nodes.free[order]
    got = np.clip(gpus - (np.cumsum(free) - free), 0, free)
    return [(int(node), int(g)) for node, g in zip(order, got, strict=True) if g > 0]


def _racks(nodes: Nodes) -> list[int]:
    """The racks, the least used share first."""
    free, size = np.bincount(nodes.rack, nodes.free), np.bincount(nodes.rack, nodes.size)
    racks = np.flatnonzero(size)
    order: list[int] = racks[np.argsort(-free[racks] / size[racks], kind="stable")].tolist()
    return order


def _least_used(nodes: Nodes, rack: int) -> Ints:
    """Nodes of a rack, the least used share first."""
    inside = np.flatnonzero(nodes.rack == rack)
    share = (nodes.size - nodes.free)[inside] / np.maximum(1, nodes.size[inside])
    order: Ints = inside[np.argsort(share, kind="stable")]
    return order
