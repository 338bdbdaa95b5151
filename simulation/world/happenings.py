"""What befalls nodes, whatever the policy does: recorded changes of the inventory, failures, reclaims of spot capacity.

Failures and reclaims are drawn lazily, node by node from streams of their own, so a longer run sees the same ones.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from simulation.hardware import NodeChange
from simulation.scenario import Scenario
from simulation.world.cluster import Nodes

UP, NOTICE, DOWN = range(3)  # of one instant in this order


class Happening(NamedTuple):
    """At an instant a node goes down, comes up, or its jobs learn that it will go down."""

    at_s: float
    what: int
    node: int


class Happenings:
    """A queue of happenings in order of (instant, kind, node)."""

    def __init__(self, recorded: list[Happening], drawn: dict[int, Interrupted]) -> None:
        self._drawn = drawn
        self._queue = list(recorded)
        for node in sorted(drawn):
            self._queue += drawn[node].outage(node, 0.0)
        heapq.heapify(self._queue)

    @property
    def next_s(self) -> float:
        """Instant of the next one, inf where there is none."""
        return self._queue[0].at_s if self._queue else np.inf

    @property
    def nodes(self) -> list[int]:
        """Nodes that anything may happen to."""
        return sorted({happening.node for happening in self._queue} | set(self._drawn))

    def due(self, now_s: float) -> list[Happening]:
        """Take out what happens at `now_s` or before."""
        found = []
        while self._queue and self._queue[0].at_s <= now_s:
            happening = heapq.heappop(self._queue)
            found.append(happening)
            if happening.what == UP and happening.node in self._drawn:
                for later in self._drawn[happening.node].outage(happening.node, happening.at_s):
                    heapq.heappush(self._queue, later)
        return found


class Interrupted:
    """Draws one outage of a node after the other."""

    def __init__(self, rng: np.random.Generator, mean_up_s: float, mean_down_s: float, notice_s: float) -> None:
        self._rng, self._means, self._notice_s = rng, (mean_up_s, mean_down_s), notice_s

    def outage(self, node: int, since_s: float) -> list[Happening]:
        """The next outage of a node that is up since `since_s`."""
        up_s, down_s = (float(self._rng.exponential(mean)) for mean in self._means)
        gone_s = since_s + up_s
        found = [Happening(gone_s, DOWN, node), Happening(gone_s + down_s, UP, node)]
        if self._notice_s > 0:
            found.append(Happening(max(since_s, gone_s - self._notice_s), NOTICE, node))
        return found


def build_happenings(scenario: Scenario, nodes: Nodes, stream: np.random.SeedSequence) -> Happenings:
    """Recorded and drawn happenings of one replication."""
    pools = scenario.cluster.pools
    first = np.concatenate([[0], np.cumsum([p.nodes for p in pools])]).tolist()
    start = {p.name: (first[i], first[i + 1]) for i, p in enumerate(pools)}
    drawn: dict[int, Interrupted] = {}
    for pool, child in zip(pools, stream.spawn(len(pools)), strict=True):
        if pool.interruptions is None:
            continue
        low, high = start[pool.name]
        given = pool.interruptions
        for node, own in zip(range(low, high), child.spawn(high - low), strict=True):
            rng = np.random.default_rng(own)
            drawn[node] = Interrupted(rng, given.mean_up_s, given.mean_down_s, given.notice_s)
    return Happenings(_recorded(scenario.cluster.changes, start, nodes), drawn)


def _recorded(changes: list[NodeChange], start: dict[str, tuple[int, int]], nodes: Nodes) -> list[Happening]:
    up = [not down for down in nodes.starts_down.tolist()]
    found = []
    for change in sorted(changes, key=lambda c: (c.at_s, c.pool, not c.up)):
        able = [node for node in range(*start[change.pool]) if up[node] != change.up][: change.nodes]
        for node in able:
            up[node] = change.up
            found.append(Happening(change.at_s, UP if change.up else DOWN, node))
    return found
