"""Buddy cells: equal parts of equal nodes, split into smaller ones and merged again as they come free.

A cell of a level is a run of GPUs that starts at a multiple of its size; its buddies are the others under the same
parent. GPUs are numbered through all nodes of the chain, so a cell never crosses a node.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Cell(NamedTuple):
    level: int
    start: int  # its first GPU


Cost = Callable[[Cell], int]


def cell_sizes(node_gpus: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """GPUs of a cell by level, for nodes of `node_gpus`: those of `wanted` that divide the next one, and the node."""
    sizes = [node_gpus]
    for size in sorted({*wanted, 1}, reverse=True):
        if size < sizes[0] and sizes[0] % size == 0:
            sizes.insert(0, size)
    return tuple(sizes)


class BuddyCells:
    """Free cells of a chain of `nodes` equal nodes. sizes: GPUs of a cell by level, each divides the next."""

    def __init__(self, nodes: int, sizes: Sequence[int]) -> None:
        if any(large <= small or large % small for small, large in pairwise(sizes)):
            raise ValueError(f"cell sizes are {tuple(sizes)}, expected each to divide the next")
        self.sizes, self.nodes = tuple(sizes), nodes
        self.top = len(sizes) - 1
        self._free: list[list[int]] = [[] for _ in sizes]
        self._free[self.top] = [node * sizes[self.top] for node in range(nodes)]

    def free_cells(self, level: int) -> list[Cell]:
        """Free cells of a level that are not part of a larger free one, in order."""
        return [Cell(level, start) for start in self._free[level]]

    def level_for(self, gpus: int) -> int:
        """The lowest level whose cells hold `gpus`. Raises ValueError above the size of a node."""
        if gpus > self.sizes[self.top]:
            raise ValueError(f"{gpus} GPUs, expected at most {self.sizes[self.top]}: a cell does not cross nodes")
        return bisect_left(self.sizes, gpus)

    def take(self, level: int, cost: Cost | None = None) -> Cell | None:
        """A cell of `level`, the cheapest (then the first) of the lowest level that has a free one; None: no cell."""
        above = level
        while above <= self.top and not self._free[above]:
            above += 1
        if above > self.top:
            return None
        return self._split(self._take_cheapest(above, cost), level, cost)

    def give_back(self, cell: Cell) -> None:
        """Free a cell that was taken; merges with its buddies as far up as they are free."""
        level, start = cell
        while level < self.top:
            buddies = self._children(self._parent(Cell(level, start)))
            others = [buddy.start for buddy in buddies if buddy.start != start]
            if not all(self._is_free(level, other) for other in others):
                break
            for other in others:
                self._free[level].remove(other)
            level, start = level + 1, buddies[0].start
        insort(self._free[level], start)

    def spare(self, owed: Sequence[int]) -> list[int] | None:
        """Cells left at each level once `owed` of it are set aside, from the top down; None where that cannot be.

        What a level has left may be split, so it counts for the levels below.
        """
        spare = [0] * len(self.sizes)
        left = 0
        for level in range(self.top, -1, -1):
            ratio = self.sizes[level + 1] // self.sizes[level] if level < self.top else 0
            left = len(self._free[level]) + left * ratio - owed[level]
            if left < 0:
                return None
            spare[level] = left
        return spare

    def _take_cheapest(self, level: int, cost: Cost | None) -> Cell:
        starts = self._free[level]
        at = 0 if cost is None else min(range(len(starts)), key=lambda i: (cost(Cell(level, starts[i])), i))
        return Cell(level, starts.pop(at))

    def _split(self, cell: Cell, level: int, cost: Cost | None) -> Cell:
        while cell.level > level:
            children = self._children(cell)
            cell = children[0] if cost is None else min(children, key=lambda child: (cost(child), child.start))
            self._free[cell.level].extend(child.start for child in children if child != cell)
            self._free[cell.level].sort()
        return cell

    def _parent(self, cell: Cell) -> Cell:
        size = self.sizes[cell.level + 1]
        return Cell(cell.level + 1, cell.start // size * size)

    def _children(self, cell: Cell) -> list[Cell]:
        size = self.sizes[cell.level - 1]
        return [Cell(cell.level - 1, start) for start in range(cell.start, cell.start + self.sizes[cell.level], size)]

    def _is_free(self, level: int, start: int) -> bool:
        starts = self._free[level]
        at = bisect_left(starts, start)
        return at < len(starts) and starts[at] == start
