"""Time of an all-reduce over the slowest link that a placement crosses.

Ring of n GPUs on N nodes: base + (2(n-1) - n_e) x step inside + n_e x step between nodes + 2(n-1)/n x bytes / bandwidth
with n_e = 2(N-1). Step latencies and the bandwidths that stand in for unknown ones are those of NCCL's tuning constants
(ring, simple protocol; src/graph/tuning.cc and topo.h).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.hardware import Links
from simulation.records import Floats, Ints

ISLAND, NODE, RACK, CLUSTER = range(4)  # levels of a placement: the worst link that it crosses
BASE_S, ISLAND_STEP_S, NODE_STEP_S, NETWORK_STEP_S = 8.4e-6, 3.4e-6, 5.7e-6, 14.0e-6
UNKNOWN_GB_S = 12.0  # PCIe 3.0 x16, and 100 Gb/s of network


class Wiring(NamedTuple):
    """Usable bytes a second at each level (4,), how many GPUs an island and a node have, what of it was given."""

    bytes_per_s: Floats
    gpus_per_island: int
    gpus_per_node: int
    known: tuple[bool, bool, bool, bool]  # whether the bandwidths that count at a level were given


def wiring(links: Links, gpus_per_node: int) -> Wiring:
    """Bandwidths of a pool at each level; what is unknown is taken as PCIe 3.0 x16 or a 100 Gb/s network."""
    island = links.island_gb_s or links.node_gb_s or UNKNOWN_GB_S
    node = links.node_gb_s or (island if links.island_gpus is None else UNKNOWN_GB_S)
    network = links.network_gb_s or UNKNOWN_GB_S
    crossing = min(island, network)
    speeds = np.array([island, node, crossing, min(island, network / links.oversubscription)])
    size = max(1, gpus_per_node)
    inside = links.island_gb_s is not None or links.node_gb_s is not None
    across = links.node_gb_s is not None or (inside and links.island_gpus is None)
    beyond = links.network_gb_s is not None
    return Wiring(speeds * 1e9, min(size, links.island_gpus or size), size, (inside, across, beyond, beyond))


def nearest_level(gpus: Ints, wires: Wiring) -> Ints:
    """(counts,) best level that so many GPUs can have."""
    return np.where(gpus <= wires.gpus_per_island, ISLAND, np.where(gpus <= wires.gpus_per_node, NODE, RACK))


def all_reduce_s(gpus: Ints, level: int, reduced_bytes: float, wires: Wiring) -> Floats:
    """(counts,) seconds to reduce `reduced_bytes` over so many GPUs; 0 for one GPU and where nothing is reduced."""
    n = np.maximum(1, gpus).astype(np.float64)
    across = np.maximum(2.0, np.ceil(n / wires.gpus_per_node)) if level >= RACK else np.ones(len(n))
    between = 2 * (across - 1)
    inside_s = ISLAND_STEP_S if level == ISLAND else NODE_STEP_S if level == NODE else ISLAND_STEP_S
    steps_s = (2 * (n - 1) - between) * inside_s + between * NETWORK_STEP_S
    moved_s = 2 * (n - 1) / n * reduced_bytes / wires.bytes_per_s[level]
    return np.where((n > 1) & (reduced_bytes > 0), BASE_S + np.maximum(0.0, steps_s) + moved_s, 0.0)
