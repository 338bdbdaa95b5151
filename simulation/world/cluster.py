"""Nodes of a cluster as flat arrays.

A *domain* is the set of equal GPUs (one model, one speed) over all pools: a gang stays inside one domain. A *class* is
a set of permitted GPU models; its domains are listed fastest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from simulation.records import Floats, Ints, PoolInfo
from simulation.scenario import Cluster, Pool


@dataclass(frozen=True, slots=True)
class Nodes:
    """Nodes in the order of pools. Domain d holds `domain_nodes[domain_start[d]:domain_start[d + 1]]`."""

    pools: tuple[PoolInfo, ...]
    names: tuple[str, ...]
    pool: Ints  # (nodes,)
    size: Ints  # (nodes,) GPUs
    domain: Ints  # (nodes,)
    domain_nodes: Ints  # (nodes,)
    domain_start: Ints  # (domains + 1,)
    domain_speed: Floats  # (domains,)
    domain_model: tuple[str, ...]
    sizes_down: Ints  # (nodes,) node sizes of each domain, largest first, at the places of domain_nodes

    @property
    def gpus(self) -> int:
        return int(self.size.sum())

    def domain_gpus(self) -> Ints:
        """GPUs of each domain, (domains,)."""
        return np.bincount(self.domain, weights=self.size, minlength=len(self.domain_speed)).astype(np.int64)


def build_nodes(cluster: Cluster) -> Nodes:
    """Lay out the nodes of `cluster`, pool after pool."""
    kinds = list(dict.fromkeys((p.gpu_model, p.speed) for p in cluster.pools))
    counts = [p.nodes for p in cluster.pools]
    pool = np.repeat(np.arange(len(cluster.pools)), counts).astype(np.int64)
    size = np.repeat([p.gpus_per_node for p in cluster.pools], counts).astype(np.int64)
    domain = np.repeat([kinds.index((p.gpu_model, p.speed)) for p in cluster.pools], counts).astype(np.int64)
    by_domain = np.argsort(domain, kind="stable").astype(np.int64)
    start = np.searchsorted(domain[by_domain], np.arange(len(kinds) + 1)).astype(np.int64)
    return Nodes(
        pools=tuple(_pool_info(p) for p in cluster.pools),
        names=tuple(name for p in cluster.pools for name in _node_names(p)),
        pool=pool,
        size=size,
        domain=domain,
        domain_nodes=by_domain,
        domain_start=start,
        domain_speed=np.array([speed for _, speed in kinds], dtype=np.float64),
        domain_model=tuple(model for model, _ in kinds),
        sizes_down=size[np.lexsort((-size, domain))],
    )


def _pool_info(pool: Pool) -> PoolInfo:
    fields = ("name", "gpu_model", "nodes", "gpus_per_node", "purchase", "idle_w", "peak_w", "node_overhead_w")
    return PoolInfo(**{name: getattr(pool, name) for name in fields})


def _node_names(pool: Pool) -> list[str]:
    given = pool.node_names or []
    return [given[i] if i < len(given) else f"{pool.name}-{i}" for i in range(pool.nodes)]


def permitted_domains(nodes: Nodes, models: Iterable[str]) -> tuple[int, ...]:
    """Domains of the named models (no name: all), fastest first, then in the order of pools."""
    wanted = set(models)
    allowed = [d for d, model in enumerate(nodes.domain_model) if not wanted or model in wanted]
    return tuple(sorted(allowed, key=lambda d: (-nodes.domain_speed[d], d)))


def class_table(classes: Sequence[tuple[int, ...]], domains: int) -> Ints:
    """(classes, domains + 1) lists of domains, each closed by -1."""
    table = np.full((max(1, len(classes)), domains + 1), -1, dtype=np.int64)
    for row, members in enumerate(classes):
        table[row, : len(members)] = members
    return table
