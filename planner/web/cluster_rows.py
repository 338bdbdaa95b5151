"""What the page of a cluster says beyond its table of pools: make of the nodes, links, interruptions, changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from planner.web.numbers import number, span
from simulation.hardware import Cluster, NodeChange, Pool

GIB = 2**30


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded change, and how many nodes of the pool are there after it."""

    at: str
    pool: str
    nodes: int
    up: bool
    left: int


def _bytes(value: float | None) -> str:
    return "" if value is None else number(value / GIB)


def _known(value: float | None) -> str:
    return "" if value is None else number(value)


def _some(value: float, nothing: float = 0.0) -> str:
    """A value that is `nothing` unless given."""
    return "" if value == nothing else number(value)


def _of_interruptions(pool: Pool, field: str) -> str:
    return span(getattr(pool.interruptions, field)) if pool.interruptions else ""


FACTS: tuple[tuple[str, str, Callable[[Pool], str]], ...] = (
    ("CPU cores", "a node", lambda p: _known(p.cores_per_node)),
    ("Host memory", "GiB a node", lambda p: _bytes(p.memory_per_node_bytes)),
    ("Island of GPUs at full rate", "GPUs", lambda p: _known(p.links.island_gpus)),
    ("Rate inside an island", "GB/s a GPU", lambda p: _known(p.links.island_gb_s)),
    ("Rate across islands", "GB/s a GPU", lambda p: _known(p.links.node_gb_s)),
    ("Network", "GB/s a node", lambda p: _known(p.links.network_gb_s)),
    ("Nodes of a rack", "nodes", lambda p: _known(p.links.rack_nodes)),
    ("Oversubscription between racks", "×", lambda p: _some(p.links.oversubscription, nothing=1.0)),
    ("Power of a node beside its GPUs", "W", lambda p: _some(p.node_overhead_w)),
    ("Power of a node switched off", "W", lambda p: _some(p.off_w)),
    ("Boot of a node", "", lambda p: span(p.boot_s) if p.boot_s else ""),
    ("Time between interruptions", "mean of a node", lambda p: _of_interruptions(p, "mean_up_s")),
    ("Time until it is back", "mean", lambda p: _of_interruptions(p, "mean_down_s")),
    ("Notice before", "", lambda p: _of_interruptions(p, "notice_s")),
    ("At the start", "", lambda p: "down, until a recorded change" if p.starts_down else ""),
)
"""Name, unit and value as written of what a pool may say; empty where it does not."""


def facts_of(cluster: Cluster) -> list[tuple[str, str, list[str]]]:
    """Rows of facts that any pool gives: name, unit, a value for each pool in turn ("" where it is not given)."""
    rows = [(name, unit, [told(pool) for pool in cluster.pools]) for name, unit, told in FACTS]
    return [row for row in rows if any(row[2])]


def changes_of(cluster: Cluster) -> list[Change]:
    """Recorded changes in order of time."""
    return list(_changes(cluster))


def _changes(cluster: Cluster) -> Iterator[Change]:
    there = {pool.name: 0 if pool.starts_down else pool.nodes for pool in cluster.pools}
    most = {pool.name: pool.nodes for pool in cluster.pools}
    for change in sorted(cluster.changes, key=lambda change: change.at_s):
        there[change.pool] = min(most[change.pool], max(0, there[change.pool] + _signed(change)))
        yield Change(span(change.at_s), change.pool, change.nodes, change.up, there[change.pool])


def _signed(change: NodeChange) -> int:
    return change.nodes if change.up else -change.nodes
