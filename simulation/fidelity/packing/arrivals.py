"""Demands arrive one after the other and stay; one that fits nowhere is turned away."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner
from simulation.fidelity.packing.fragments import Typical, fragment_milli
from simulation.fidelity.packing.nodes import MILLI, Demands, Nodes, fits, take, tightest
from simulation.fidelity.packing.scores import ANY, score
from simulation.records import Floats, Ints


class Packing(NamedTuple):
    """After each of P arrivals."""

    node: Ints  # (P,) where it was put; -1: turned away
    used_milli: Ints
    fragment_milli: Floats  # of all nodes


def pack(nodes: Nodes, demands: Demands, policy: int, typical: Typical, rng: np.random.Generator) -> Packing:
    """Fill `nodes` (which changes) with `demands` in their order. rng: for lots, if the policy draws any."""
    alike = np.stack([demands.cpu, demands.gpus, demands.milli], axis=1)
    shape = np.unique(alike, axis=0, return_inverse=True)[1].ravel().astype(np.int64)
    return Packing(*pack_all(nodes, demands, shape, policy, typical, rng))


@allocating
def pack_all(
    n: Nodes, d: Demands, shape: Ints, policy: int, t: Typical, rng: np.random.Generator
) -> tuple[Ints, Ints, Floats]:
    """shape (P,): demands of equal shape have equal scores; a score is kept until its node changes."""
    count, arrivals = len(n.cpu), len(d.cpu)
    shapes = shape.max() + 1
    known = np.full((shapes, count), -1, np.int64)  # changes that its node had seen
    scores, gpus = np.zeros((shapes, count), np.int64), np.full((shapes, count), -1, np.int64)
    changes = np.zeros(count, np.int64)
    fragments = np.array([fragment_milli(t, n, node, n.cpu[node]) for node in range(count)])
    placed, used, fragmented = np.full(arrivals, -1, np.int64), np.zeros(arrivals, np.int64), np.zeros(arrivals)
    held, fragment = 0, fragments.sum()
    for i in range(arrivals):
        node = choose(n, d, i, policy, t, rng, known[shape[i]], scores[shape[i]], gpus[shape[i]], changes)
        if node >= 0:
            gpu = gpus[shape[i], node] if gpus[shape[i], node] >= 0 else gpu_for_part(n, d, node, i, policy, rng)
            take(n, d, node, i, gpu)
            changes[node] += 1
            held += d.gpus[i] * d.milli[i]
            now = fragment_milli(t, n, node, n.cpu[node])
            fragment += now - fragments[node]
            fragments[node] = now
        placed[i], used[i], fragmented[i] = node, held, fragment
    return placed, used, fragmented


@inner
def choose(
    n: Nodes, d: Demands, i: int, policy: int, t: Typical, rng: np.random.Generator,
    known: Ints, scores: Ints, gpus: Ints, changes: Ints,
) -> int:  # fmt: skip
    """The node of the highest score, the first among equals (ANY: by lot); -1: the demand fits nowhere."""
    best, able, chosen = -1, 0, -1
    for node in range(len(n.cpu)):
        if not fits(n, d, node, i):
            continue
        if policy == ANY:
            able += 1
            chosen = node if rng.random() * able < 1.0 else chosen
            continue
        if known[node] != changes[node]:
            scores[node], gpus[node] = score(policy, n, d, node, i, t)
            known[node] = changes[node]
        if scores[node] > best:
            best, chosen = scores[node], node
    return chosen


@inner
def gpu_for_part(n: Nodes, d: Demands, node: int, i: int, policy: int, rng: np.random.Generator) -> int:
    """The tightest GPU, or any one with room by lot."""
    if policy != ANY or d.milli[i] == MILLI:
        return tightest(n, node, d.milli[i])
    able, chosen = 0, -1
    for g in range(n.size[node]):
        if n.gpu[node, g] >= d.milli[i]:
            able += 1
            if rng.random() * able < 1.0:
                chosen = g
    return chosen
