"""Reservations in cells: a tenant's jobs start as if its cells were a cluster of its own.

A reserved cell is virtual until the first job in it starts; then it is bound to a physical cell, chosen among all
that are free, and it is set free when its last job ends. Jobs go to parts of virtual cells by the tenant's own state
alone, so what other tenants do never decides whether a job starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulation.mechanisms.cells.buddies import BuddyCells, Cell, Cost


def cells_of(gpus: int, sizes: Sequence[int]) -> list[int]:
    """Cells by level that make up `gpus`, as large as possible. Sizes divide each other, and the least is 1."""
    counts = []
    for size in reversed(sizes):
        counts.append(gpus // size)
        gpus %= size
    return counts[::-1]


@dataclass
class VirtualCell:
    """A reserved cell: its own parts, and the physical cell that it is bound to while a job runs in it."""

    level: int
    parts: BuddyCells
    bound: Cell | None = None

    def lowest_free(self, level: int) -> int | None:
        """The lowest level at or above `level` at which a part is free."""
        return next((k for k in range(level, self.level + 1) if self.parts.free_cells(k)), None)


@dataclass
class Taken:
    """Parts of virtual cells that a job runs in, and where they are."""

    parts: list[tuple[VirtualCell, Cell]]
    cells: list[Cell]


class Reservation:
    """The cells of one tenant on one chain."""

    def __init__(self, chain: BuddyCells, owed: Sequence[int]) -> None:
        """owed: cells by level. The cells of all tenants must fit into the chain together (`BuddyCells.spare`)."""
        self._chain = chain
        self.virtual = [
            VirtualCell(level, BuddyCells(1, chain.sizes[: level + 1]))
            for level in range(chain.top, -1, -1)
            for _ in range(owed[level])
        ]

    def unbound(self) -> list[int]:
        """Cells by level that are still owed."""
        counts = [0] * len(self._chain.sizes)
        for cell in self.virtual:
            counts[cell.level] += cell.bound is None
        return counts

    def take(self, gpus: int, cost: Cost | None = None) -> Taken | None:
        """Room for a gang: one part that holds it, or whole nodes and a part for the rest. None, and no change,
        where the tenant's own cells have no room. `cost` chooses among physical cells."""
        node = self._chain.sizes[-1]
        wholes, rest = divmod(gpus, node)
        wanted = [self._chain.top] * wholes + ([self._chain.level_for(rest)] if rest else [])
        taken = Taken([], [])
        for level in wanted:
            virtual = self._choose(level)
            if virtual is None:
                self.give_back(taken)
                return None
            self._take_part(virtual, level, cost, taken)
        return taken

    def give_back(self, taken: Taken) -> None:
        """Free what `take` gave; a virtual cell that is now empty is bound to nothing."""
        for virtual, part in taken.parts:
            virtual.parts.give_back(part)
            if virtual.parts.free_cells(virtual.level) and virtual.bound is not None:
                self._chain.give_back(virtual.bound)
                virtual.bound = None

    def _choose(self, level: int) -> VirtualCell | None:
        """Where the smallest part has to be split; cells in use before others."""
        best: tuple[int, bool, int] | None = None
        for at, virtual in enumerate(self.virtual):
            free = virtual.lowest_free(level)
            if free is not None:
                key = (free, virtual.bound is None, at)
                best = key if best is None else min(best, key)
        return None if best is None else self.virtual[best[2]]

    def _take_part(self, virtual: VirtualCell, level: int, cost: Cost | None, taken: Taken) -> None:
        if virtual.bound is None:
            virtual.bound = self._chain.take(virtual.level, cost)
            assert virtual.bound is not None  # what is owed is always there
        part = virtual.parts.take(level)
        assert part is not None  # `_choose` has seen it
        taken.parts.append((virtual, part))
        taken.cells.append(Cell(level, virtual.bound.start + part.start))
