"""Nodes with what is free on them, demands, and whether and how one fits the other. GPUs and CPU cores in thousandths.

A demand is for a part of one GPU (`milli` below 1000), for whole GPUs, or for none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.records import Ints

MILLI = 1000  # one GPU
NO_GPU = -1  # where a node has fewer GPUs than the widest


class Nodes(NamedTuple):
    """N nodes; free amounts, which change, and fixed facts."""

    cpu: Ints  # (N,) milli
    memory: Ints  # (N,) MiB
    gpu: Ints  # (N, widest) milli of each GPU, or NO_GPU
    size: Ints  # (N,) GPUs
    model: Ints  # (N,) a bit for each GPU model
    kinds: Ints  # (N, kinds) demands of each kind that it holds; kind 0: a part of a GPU; g: g GPUs

    def at(self, rows: Ints) -> Nodes:
        """A copy with these nodes in this order."""
        return Nodes(*(column[rows] for column in self))


class Demands(NamedTuple):
    """P demands. `milli`: of each GPU; `models`: bits of permitted ones, 0: any."""

    cpu: Ints
    memory: Ints
    gpus: Ints
    milli: Ints
    models: Ints

    @property
    def total_milli(self) -> Ints:
        total: Ints = self.gpus * self.milli
        return total

    def at(self, rows: Ints) -> Demands:
        return Demands(*(column[rows] for column in self))


def make_nodes(cpu: Ints, memory: Ints, size: Ints, model: Ints) -> Nodes:
    """All free."""
    widest = int(size.max(initial=1))
    gpu = np.where(np.arange(widest) < size[:, None], MILLI, NO_GPU)
    return Nodes(cpu.copy(), memory.copy(), gpu, size, model, np.zeros((len(cpu), widest + 1), np.int64))


@inner
def kind_of(gpus: int, milli: int) -> int:
    return 0 if milli < MILLI else gpus


@kernel
def fits(n: Nodes, d: Demands, node: int, i: int) -> bool:
    if n.cpu[node] < d.cpu[i] or n.memory[node] < d.memory[i]:
        return False
    if d.gpus[i] == 0:
        return True
    if d.models[i] != 0 and (d.models[i] & n.model[node]) == 0:
        return False
    found = 0
    for g in range(n.size[node]):
        found += n.gpu[node, g] >= d.milli[i]
    return bool(found >= d.gpus[i])


@kernel
def tightest(n: Nodes, node: int, milli: int) -> int:
    """The GPU that is left with least: of those with room, the first among equals; -1: none has room."""
    best = -1
    for g in range(n.size[node]):
        if n.gpu[node, g] >= milli and (best < 0 or n.gpu[node, g] < n.gpu[node, best]):
            best = g
    return best


@kernel
def take(n: Nodes, d: Demands, node: int, i: int, gpu: int) -> None:
    """Put a demand onto a node where it fits: a part onto `gpu`, whole ones onto the first that are free."""
    n.cpu[node] -= d.cpu[i]
    n.memory[node] -= d.memory[i]
    if d.gpus[i] == 0:
        return
    n.kinds[node, kind_of(d.gpus[i], d.milli[i])] += 1
    if d.milli[i] < MILLI:
        n.gpu[node, gpu] -= d.milli[i]
        return
    left = d.gpus[i]
    for g in range(n.size[node]):
        if left > 0 and n.gpu[node, g] == MILLI:
            n.gpu[node, g] = 0
            left -= 1
