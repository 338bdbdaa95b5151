"""Nodes of a cluster as flat arrays.

A *domain* is the set of equal GPUs (one model, one speed) over all pools: a gang stays inside one domain. A *class* is
a set of permitted GPU models; its domains are listed fastest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from simulation.hardware import MAX_NODES, Cluster, Pool
from simulation.records import Floats, Ints, PoolInfo
from simulation.world.links import Wiring, wiring


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
    domain_memory: Floats  # (domains,) bytes of a GPU, the least of its pools; nan: unknown
    domain_wiring: tuple[Wiring, ...]  # that of the first pool of each domain
    sizes_down: Ints  # (nodes,) node sizes of each domain, largest first, at the places of domain_nodes
    rack: Ints  # (nodes,) equal numbers: the same rack
    island: Ints  # (nodes,) GPUs of an island
    cores: Floats  # (nodes,) nan: unknown
    memory: Floats  # (nodes,) bytes of host memory; nan: unknown
    boot_s: Floats  # (nodes,)
    starts_down: Ints  # (nodes,) 1: comes up by a recorded change

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
        domain_memory=np.array([_memory_of(cluster, kind) for kind in kinds], dtype=np.float64),
        domain_wiring=tuple(_wiring_of(cluster, kind) for kind in kinds),
        sizes_down=size[np.lexsort((-size, domain))],
        rack=_racks(cluster),
        island=np.repeat([p.links.island_gpus or max(1, p.gpus_per_node) for p in cluster.pools], counts).astype(
            np.int64
        ),
        cores=_per_node(counts, [p.cores_per_node for p in cluster.pools]),
        memory=_per_node(counts, [p.memory_per_node_bytes for p in cluster.pools]),
        boot_s=_per_node(counts, [p.boot_s for p in cluster.pools]),
        starts_down=np.repeat([int(p.starts_down) for p in cluster.pools], counts).astype(np.int64),
    )


def _per_node(counts: Sequence[int], values: Sequence[float | None]) -> Floats:
    return np.repeat([np.nan if v is None else float(v) for v in values], counts).astype(np.float64)


def _memory_of(cluster: Cluster, kind: tuple[str, float]) -> float:
    known = [p.gpu_memory_bytes for p in cluster.pools if (p.gpu_model, p.speed) == kind and p.gpu_memory_bytes]
    return float(min(known, default=np.nan))


def _wiring_of(cluster: Cluster, kind: tuple[str, float]) -> Wiring:
    pool = next(p for p in cluster.pools if (p.gpu_model, p.speed) == kind)
    return wiring(pool.links, pool.gpus_per_node)


def _racks(cluster: Cluster) -> Ints:
    """Racks are numbered through all pools; no rack holds nodes of two."""
    racks: list[int] = []
    for pool in cluster.pools:
        first = racks[-1] + 1 if racks else 0
        racks += [first + i // (pool.links.rack_nodes or MAX_NODES) for i in range(pool.nodes)]
    return np.array(racks, dtype=np.int64)


def _pool_info(pool: Pool) -> PoolInfo:
    fields = ("name", "gpu_model", "nodes", "gpus_per_node", "purchase", "idle_w", "peak_w", "node_overhead_w", "off_w")
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
