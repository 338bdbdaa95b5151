"""How much of the free GPUs of a node is a fragment: of no use to a demand drawn from those that are typical."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import kernel
from simulation.fidelity.packing.nodes import Demands, Nodes
from simulation.records import Floats, Ints

POPULARITY = 0.95  # typical are the most frequent demands that together are so much of all


class Typical(NamedTuple):
    """Distinct demands with their frequencies, which add up to 1."""

    cpu: Ints
    gpus: Ints
    milli: Ints
    models: Ints
    frequency: Floats


def typical(demands: Demands) -> Typical:
    """Memory plays no part. Among equally frequent demands the larger ones are typical first."""
    rows = np.stack([demands.cpu, demands.milli, demands.gpus, demands.models], axis=1)
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    order = np.lexsort((*kinds.T[::-1], counts))[::-1]
    kinds, counts = kinds[order], counts[order]
    enough = int(np.searchsorted(np.cumsum(counts), POPULARITY * counts.sum())) + 1
    chosen, frequency = kinds[:enough].T.copy(), counts[:enough] / counts[:enough].sum()
    return Typical(chosen[0].copy(), chosen[2].copy(), chosen[1].copy(), chosen[3].copy(), frequency)


@kernel
def fragment_milli(t: Typical, n: Nodes, node: int, cpu: int) -> float:
    """Expected fragment of a node if it had `cpu` free: everything free if the demand cannot run there or needs no GPU,
    else the GPUs with too little."""
    free = 0
    for g in range(n.size[node]):
        free += n.gpu[node, g]
    if free == 0:
        return 0.0
    total = 0.0
    for k in range(len(t.cpu)):
        wasted, able = 0, 0
        for g in range(n.size[node]):
            if n.gpu[node, g] >= t.milli[k]:
                able += 1
            else:
                wasted += n.gpu[node, g]
        permitted = t.models[k] == 0 or (t.models[k] & n.model[node]) != 0
        useful = t.gpus[k] > 0 and permitted and able >= t.gpus[k] and cpu >= t.cpu[k]
        total += t.frequency[k] * (wasted if useful else free)
    return total
