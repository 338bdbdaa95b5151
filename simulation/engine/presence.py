"""Which nodes can be used: failures, reclaims and changes of the inventory, and nodes that a policy switches off."""

from __future__ import annotations

import heapq
from collections import Counter

import numpy as np

from simulation.engine.state import FREE_GPUS, State
from simulation.records import Absence
from simulation.world.build import World
from simulation.world.happenings import DOWN, NOTICE, Happening


class Presence:
    """The nodes of a run. `next_s` is the next instant at which one goes or comes back (inf: never again)."""

    def __init__(self, world: World, ledger: State, counts: Counter[str]) -> None:
        self.spans: list[tuple[int, int, float, float]] = []  # node, Absence, start, end
        self._world, self._ledger, self._counts = world, ledger, counts
        self._happenings = world.happenings
        self._boots: list[tuple[float, int]] = []  # instant, node
        self._since_s = np.zeros(len(ledger.away))
        self._told: set[int] = set()

    @property
    def next_s(self) -> float:
        return min(self._happenings.next_s, self._boots[0][0] if self._boots else np.inf)

    def at(self, now_s: float) -> list[tuple[int, bool]]:
        """Let happen what is due; returns the nodes that went while jobs may have been on them, and who was told."""
        gone = []
        while self._boots and self._boots[0][0] <= now_s:
            at_s, node = heapq.heappop(self._boots)
            if self._ledger.away[node] == 1 + Absence.BOOTING and self._since_s[node] + self._boot_s(node) == at_s:
                self._come(node, now_s)
        for happening in self._happenings.due(now_s):
            gone += self._befall(happening, now_s)
        return gone

    def _befall(self, happening: Happening, now_s: float) -> list[tuple[int, bool]]:
        node = happening.node
        if happening.what == NOTICE:
            self._told.add(node)
            return []
        if happening.what != DOWN:
            if self._ledger.away[node] == 1 + Absence.DOWN:
                self._come(node, now_s)
            return []
        was_there = self._ledger.away[node] == 0
        self._counts["node_losses"] += 1
        told = node in self._told
        self._told.discard(node)
        self._go(node, Absence.DOWN, now_s)
        return [(node, told)] if was_there else []

    def switch(self, node: int, on: bool, now_s: float) -> None:
        """Switch a node off, or on: then it boots. On for a node that is not off does nothing."""
        if not on:
            self._go(node, Absence.OFF, now_s)
            self._counts["nodes_switched_off"] += 1
        elif self._ledger.away[node] == 1 + Absence.OFF:
            self._go(node, Absence.BOOTING, now_s)
            heapq.heappush(self._boots, (now_s + self._boot_s(node), node))
            self._counts["boots"] += 1

    def close(self, end_s: float) -> None:
        """Close the spans of the nodes that are away at the end."""
        for node in np.flatnonzero(self._ledger.away).tolist():
            self._write(node, end_s)

    def _boot_s(self, node: int) -> float:
        return float(self._world.nodes.boot_s[node])

    def _go(self, node: int, why: Absence, now_s: float) -> None:
        s = self._ledger
        if s.away[node]:
            self._write(node, now_s)
        s.away[node] = 1 + why
        s.tally[FREE_GPUS] -= s.free[node]
        s.free[node] = 0
        self._since_s[node] = now_s

    def _come(self, node: int, now_s: float) -> None:
        self._write(node, now_s)
        s = self._ledger
        s.away[node] = 0
        s.free[node] = s.size[node]
        s.tally[FREE_GPUS] += s.size[node]

    def _write(self, node: int, now_s: float) -> None:
        self.spans.append((node, int(self._ledger.away[node]) - 1, float(self._since_s[node]), now_s))
