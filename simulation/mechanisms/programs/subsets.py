"""Subsets of free GPUs that are worth bidding for: of a size, the most consolidated one, and that of most pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Subset = tuple[tuple[int, int], ...]
"""(node, GPUs), by node."""


class Supply(NamedTuple):
    """Free GPUs by node, and where the nodes are. A subset lies in one domain (GPUs of one model)."""

    free: tuple[int, ...]
    domain: Sequence[int]
    rack: Sequence[int]

    @property
    def gpus(self) -> int:
        return sum(self.free)

    def less(self, subset: Subset) -> Supply:
        return self._changed(subset, -1)

    def plus(self, subset: Subset) -> Supply:
        return self._changed(subset, 1)

    def options(self, size: int) -> list[Subset]:
        """Subsets of `size` GPUs in each domain that has them, without repetition; the consolidated one first."""
        found: list[Subset] = []
        for domain in sorted({d for d, free in zip(self.domain, self.free, strict=True) if free}):
            nodes = [node for node, free in enumerate(self.free) if free and self.domain[node] == domain]
            if sum(self.free[node] for node in nodes) >= size:
                found += [self._consolidated(nodes, size), self._spread(nodes, size)]
        return list(dict.fromkeys(found))

    def grown(self, subset: Subset, size: int) -> Subset:
        """`subset` and free GPUs of its domain up to `size`, on its own nodes first; empty where there are too few."""
        own = dict(subset)
        domain = self.domain[subset[0][0]]
        nodes = sorted(range(len(self.free)), key=lambda node: (node not in own, -self.free[node], node))
        more = self._taken([node for node in nodes if self.domain[node] == domain], size - size_of(subset))
        for node, gpus in more:
            own[node] = own.get(node, 0) + gpus
        return tuple(sorted(own.items())) if sum(own.values()) == size else ()

    def holds(self, subset: Subset) -> bool:
        return all(self.free[node] >= gpus for node, gpus in subset)

    def _changed(self, subset: Subset, sign: int) -> Supply:
        free = list(self.free)
        for node, gpus in subset:
            free[node] += sign * gpus
        return self._replace(free=tuple(free))

    def _consolidated(self, nodes: list[int], size: int) -> Subset:
        """On the node that keeps least free; else in the rack with the fewest pieces; else the largest pieces."""
        whole = [node for node in nodes if self.free[node] >= size]
        if whole:
            return ((min(whole, key=lambda node: (self.free[node], node)), size),)
        racks = (self._largest([n for n in nodes if self.rack[n] == rack], size) for rack in self._racks(nodes))
        fitting = [subset for subset in racks if size_of(subset) == size]
        return min(fitting, key=len) if fitting else self._largest(nodes, size)

    def _racks(self, nodes: Iterable[int]) -> list[int]:
        return sorted({self.rack[node] for node in nodes})

    def _largest(self, nodes: list[int], size: int) -> Subset:
        return self._taken(sorted(nodes, key=lambda node: (-self.free[node], node)), size)

    def _spread(self, nodes: list[int], size: int) -> Subset:
        """The smallest pieces, which leaves large ones to those who need them."""
        return self._taken(sorted(nodes, key=lambda node: (self.free[node], node)), size)

    def _taken(self, nodes: list[int], size: int) -> Subset:
        """Up to `size` GPUs: all of the first nodes, as many as are needed of the last."""
        taken = []
        for node in nodes:
            gpus = min(size, self.free[node])
            if gpus:
                taken.append((node, gpus))
            size -= gpus
        return tuple(sorted(taken))


def first_of(subset: Subset, size: int) -> Subset:
    """`size` GPUs of a subset, its largest pieces first."""
    kept = []
    for node, gpus in sorted(subset, key=lambda piece: (-piece[1], piece[0])):
        if size > 0:
            kept.append((node, min(size, gpus)))
        size -= gpus
    return tuple(sorted(kept))


def size_of(subset: Subset) -> int:
    return sum(gpus for _, gpus in subset)
