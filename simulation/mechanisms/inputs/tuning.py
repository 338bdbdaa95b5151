"""Tuning: cores and memory by what jobs can use of them, and never less than a share in proportion to GPUs.

Nobody is refused GPUs for want of cores or memory: a job that finds less than it could use gets its fair share, and
for that others give back what they hold beyond theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulation.engine.holding import Pieces
from simulation.mechanisms.inputs.demand import Share
from simulation.records import Floats, Ints

ROUNDING = 1e-9  # relative: sums of shares of a node


class Demand(NamedTuple):
    """Of a job: its GPUs, and what it can use for each of them."""

    job: int
    gpus: int
    per_gpu: Share


@dataclass
class Holding:
    """What a job has: GPUs by node, and the inputs of each GPU."""

    demand: Demand
    pieces: Pieces
    per_gpu: Share


class Servers:
    """Nodes with what is free on them, and who holds the rest. Arrays (nodes,): GPUs, cores, bytes of memory."""

    def __init__(self, gpus: Ints, cores: Floats, memory_bytes: Floats) -> None:
        whole = np.maximum(1, gpus)
        self.gpus = gpus.copy()
        self.inputs = np.stack([cores, memory_bytes]).astype(np.float64)  # free ones, (2, nodes)
        self.held: dict[int, Holding] = {}
        self._fair = self.inputs / whole
        self._slack = self.inputs * ROUNDING

    def fair(self, pieces: Pieces) -> Share:
        """Fair share of one GPU: the least over the nodes of `pieces`."""
        return Share(*self._fair[:, [node for node, _ in pieces]].min(axis=1).tolist())

    def hold(self, demand: Demand, pieces: Pieces, per_gpu: Share) -> None:
        """Note what a job holds; `pieces` must be free."""
        self.held[demand.job] = Holding(demand, pieces, per_gpu)
        self._give(pieces, per_gpu, -1)
        for node, gpus in pieces:
            self.gpus[node] -= gpus

    def place(self, demand: Demand, among: NDArray[np.bool_], fall_back: bool = True) -> bool:
        """Give a job GPUs and all inputs that it can use, on nodes `among` these.

        Where there is no room for these it gets its fair share, if need be from what others hold beyond theirs. False,
        and no change, where it finds no GPUs (or, without `fall_back`, no room at the first try).
        """
        wanted = np.broadcast_to(np.array(demand.per_gpu)[:, None], self.inputs.shape)
        pieces = self._room(demand.gpus, among, wanted)
        if pieces is not None:
            self.hold(demand, pieces, demand.per_gpu)
            return True
        if not fall_back:
            return False
        pieces = self._room(demand.gpus, among, np.minimum(wanted, self._fair))
        pieces = pieces or self._room(demand.gpus, among, np.zeros(wanted.shape))
        if pieces is None:
            return False
        per_gpu = demand.per_gpu.at_most(self.fair(pieces))
        self._shrink_for(pieces, per_gpu)
        self.hold(demand, pieces, per_gpu)
        return True

    def top_up(self) -> None:
        """Jobs that hold less than they can use get what is left, all or nothing, the most demanding first."""
        for holding in sorted(self.held.values(), key=lambda h: most_demanding(h.demand)):
            self._give(holding.pieces, holding.per_gpu, 1)
            if self._missing(holding.pieces, holding.demand.per_gpu) is None:
                holding.per_gpu = holding.demand.per_gpu
            self._give(holding.pieces, holding.per_gpu, -1)

    def _room(self, gpus: int, among: NDArray[np.bool_], per_gpu: Floats) -> Pieces | None:
        """The node with the fewest free GPUs that has room, else as few as possible of several, in that order.

        per_gpu (2, nodes): inputs of each GPU there.
        """
        fed = np.full(self.inputs.shape, np.inf)
        np.divide(self.inputs + self._slack, per_gpu, out=fed, where=per_gpu > 0)
        most = np.where(among, np.minimum(self.gpus, np.floor(fed.min(axis=0))), 0).astype(np.int64)
        one = np.flatnonzero(most >= gpus)
        if len(one):
            return [(int(one[np.argmin(self.gpus[one])]), gpus)]
        if most.sum() < gpus:
            return None
        order = np.argsort(self.gpus, kind="stable")
        got = np.clip(gpus - (np.cumsum(most[order]) - most[order]), 0, most[order])
        return [(int(node), int(g)) for node, g in zip(order, got, strict=True) if g > 0]

    def _shrink_for(self, pieces: Pieces, per_gpu: Share) -> None:
        """Cut jobs back to their fair share, one at a time, until `per_gpu` is free on `pieces`. It ends there at the
        latest when all are cut back, because fair shares of all GPUs of a node fit."""
        while (node := self._missing(pieces, per_gpu)) is not None:
            beyond = [
                holding
                for holding in self.held.values()
                if any(n == node for n, _ in holding.pieces) and holding.per_gpu.exceeds(self.fair(holding.pieces))
            ]
            holding = min(beyond, key=lambda h: (len(h.pieces) > 1, -h.per_gpu.cores, -h.per_gpu.memory_bytes))
            self._give(holding.pieces, holding.per_gpu, 1)
            holding.per_gpu = holding.per_gpu.at_most(self.fair(holding.pieces))
            self._give(holding.pieces, holding.per_gpu, -1)

    def _missing(self, pieces: Pieces, per_gpu: Share) -> int | None:
        """A node of `pieces` without enough free inputs; None: there is none."""
        for node, gpus in pieces:
            if (self.inputs[:, node] + self._slack[:, node] < np.array(per_gpu) * gpus).any():
                return node
        return None

    def _give(self, pieces: Pieces, per_gpu: Share, sign: int) -> None:
        for node, gpus in pieces:
            self.inputs[:, node] += np.array(per_gpu) * (sign * gpus)


def most_demanding(demand: Demand) -> tuple[float, ...]:
    """Sort key: most GPUs first, then most cores, then most memory."""
    whole = demand.per_gpu.times(demand.gpus)
    return -demand.gpus, -whole.cores, -whole.memory_bytes, demand.job
