"""How good a node is for a demand, by policy: the highest score wins, and of equal ones the first.

As of the Kubernetes scheduler: scores are cut to whole numbers of 0 to 100, so that many nodes are equal.
"""

from __future__ import annotations

import math

from simulation.engine.kernels.compiling import inner
from simulation.fidelity.packing.fragments import Typical, fragment_milli
from simulation.fidelity.packing.nodes import MILLI, Demands, Nodes, kind_of, tightest

BEST = 100
MOST_CPU, MOST_GPU = 128_000, 8_000  # milli: of the largest node
# opcodes
ANY, ALIGNED, CLUSTERED, PACKED, BEST_FIT, LEAST_FRAGMENTED = range(6)


@inner
def free_gpu(n: Nodes, node: int) -> int:
    free = 0
    for g in range(n.size[node]):
        free += n.gpu[node, g]
    return free


@inner
def aligned(n: Nodes, d: Demands, node: int, i: int) -> int:
    """Less where what is free and what is asked for point the same way: large holes are kept."""
    along = n.cpu[node] / MOST_CPU * (d.cpu[i] / MOST_CPU)
    along += free_gpu(n, node) / MOST_GPU * (d.gpus[i] * d.milli[i] / MOST_GPU)
    return int(BEST * (1.0 - along / 2))


@inner
def clustered(n: Nodes, d: Demands, node: int, i: int) -> int:
    """Nodes with demands of the same kind only, then also of it, then empty ones, then others; fuller ones first."""
    if d.gpus[i] == 0:
        return 0
    kinds = 0
    for k in range(n.kinds.shape[1]):
        kinds += n.kinds[node, k] > 0
    alike = n.kinds[node, kind_of(d.gpus[i], d.milli[i])] > 0
    quarter = (1 if kinds == 0 else 0) if not alike else (3 if kinds == 1 else 2)
    return BEST // 4 * (MOST_GPU - free_gpu(n, node)) // MOST_GPU + BEST * quarter // 4


@inner
def packed(n: Nodes, d: Demands, node: int, i: int) -> int:
    """GPUs in use before free GPUs, and those before free nodes."""
    if d.gpus[i] == 0:
        return 0
    whole = 0
    for g in range(n.size[node]):
        whole += n.gpu[node, g] == MILLI
    asked = int(d.gpus[i])
    if whole == n.size[node]:
        return max(BEST // 3 - whole, whole)
    if d.milli[i] == MILLI:
        return max(BEST // 2 - asked, BEST // 3)
    left = int(n.gpu[node, tightest(n, node, d.milli[i])])
    if left == MILLI:
        return max(BEST // 2 - 1, BEST // 3)
    return max(BEST - left * 100 // MILLI // 10, BEST // 2)


@inner
def best_fit(n: Nodes, d: Demands, node: int, i: int) -> int:
    left = 0.5 * (n.cpu[node] - d.cpu[i]) / MOST_CPU
    left += 0.5 * (free_gpu(n, node) - d.gpus[i] * d.milli[i]) / MOST_GPU
    return int(BEST * (1.0 - left))


@inner
def least_fragmented(n: Nodes, d: Demands, node: int, i: int, t: Typical) -> tuple[int, int]:
    """More where the fragment grows less; and the GPU on which a part of one does that."""
    before, cpu = fragment_milli(t, n, node, n.cpu[node]), n.cpu[node] - d.cpu[i]
    if d.gpus[i] == 0:
        return of_change(before - fragment_milli(t, n, node, cpu)), -1
    if d.milli[i] == MILLI:
        taken, left = 0, d.gpus[i]
        for g in range(n.size[node]):
            if left > 0 and n.gpu[node, g] == MILLI:
                n.gpu[node, g] = 0
                taken |= 1 << g
                left -= 1
        score = of_change(before - fragment_milli(t, n, node, cpu))
        for g in range(n.size[node]):
            if taken >> g & 1:
                n.gpu[node, g] = MILLI
        return score, -1
    best, gpu = -1, -1
    for g in range(n.size[node]):
        if n.gpu[node, g] >= d.milli[i] and not seen_before(n, node, g):
            n.gpu[node, g] -= d.milli[i]
            score = of_change(before - fragment_milli(t, n, node, cpu))
            n.gpu[node, g] += d.milli[i]
            if score > best:
                best, gpu = score, g
    return best, gpu


@inner
def seen_before(n: Nodes, node: int, gpu: int) -> bool:
    """Whether an earlier GPU of the node is as free."""
    for g in range(gpu):  # noqa: SIM110 (a generator does not compile)
        if n.gpu[node, g] == n.gpu[node, gpu]:
            return True
    return False


@inner
def of_change(milli: float) -> int:
    """0 to 100 as the sigmoid of a change in GPUs."""
    return int(BEST / (1.0 + math.exp(-milli / MILLI)))


@inner
def score(policy: int, n: Nodes, d: Demands, node: int, i: int, t: Typical) -> tuple[int, int]:
    """Score of a node where the demand fits, and the GPU for a part of one (-1: none was looked for)."""
    if policy == LEAST_FRAGMENTED:
        return least_fragmented(n, d, node, i, t)
    value = 0
    if policy == ALIGNED:
        value = aligned(n, d, node, i)
    elif policy == CLUSTERED:
        value = clustered(n, d, node, i)
    elif policy == PACKED:
        value = packed(n, d, node, i)
    elif policy == BEST_FIT:
        value = best_fit(n, d, node, i)
    return value, -1
