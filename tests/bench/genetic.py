"""A genetic search over matrices of GPUs, as a yardstick: population 100, 100 generations."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.allocation_search import TINY_SPEEDUP

POPULATION, GENERATIONS = 100, 100


def genetic(speedup: np.ndarray, capacity: np.ndarray, high: np.ndarray, exponent: float, seed: int) -> float:
    """The best fitness found. speedup (jobs, 2, most + 1) by [on one node, on several] and GPUs."""
    rng = np.random.default_rng(seed)
    pool = repaired(rng.integers(0, 2, (POPULATION, len(high), len(capacity))), capacity, high, rng)
    scores = fitness(pool, speedup, exponent)
    for _ in range(GENERATIONS):
        parents = rng.integers(0, POPULATION, (2, POPULATION))
        children = crossed(pool[parents[0]], pool[parents[1]], rng)
        children = repaired(mutated(children, capacity, rng), capacity, high, rng)
        pool = np.concatenate([pool, children])
        scores = np.concatenate([scores, fitness(children, speedup, exponent)])
        best = np.argsort(-scores, kind="stable")[:POPULATION]
        pool, scores = pool[best], scores[best]
    return float(scores[0])


def fitness(pool: np.ndarray, speedup: np.ndarray, exponent: float) -> np.ndarray:
    gpus, several = pool.sum(axis=2), ((pool > 0).sum(axis=2) > 1).astype(int)
    reached = np.maximum(speedup[np.arange(pool.shape[1]), several, gpus], TINY_SPEEDUP)
    return (reached**exponent).mean(axis=1) ** (1 / exponent)


def crossed(mothers: np.ndarray, fathers: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """At one job each."""
    cut = rng.integers(0, mothers.shape[1], (len(mothers), 1))
    return np.where((np.arange(mothers.shape[1]) < cut)[:, :, None], mothers, fathers)


def mutated(pool: np.ndarray, capacity: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """About one element that is not zero, and as many that are, drawn anew."""
    filled = pool > 0
    used = filled.sum(axis=(1, 2), keepdims=True)
    chance = np.where(filled, 1 / np.maximum(1, used), 1 / np.maximum(1, filled[0].size - used))
    drawn = rng.integers(0, capacity + 1, pool.shape)
    return np.where(rng.random(pool.shape) < chance, drawn, pool)


def repaired(pool: np.ndarray, capacity: np.ndarray, high: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Within the limit of each job, then one distributed job a node, then within the node; who loses is drawn."""
    pool = clipped(pool, high[None, :, None], 2, rng)
    turns = np.argsort(rng.random(pool.shape[:2]), axis=1)[:, :, None]
    spread = (pool > 0) & ((pool > 0).sum(axis=2, keepdims=True) > 1)
    first = np.where(spread, turns, pool.shape[1]).min(axis=1, keepdims=True)
    pool = np.where(spread & (turns > first), 0, pool)
    return clipped(pool, capacity[None, None, :], 1, rng)


def clipped(pool: np.ndarray, most: np.ndarray, axis: int, rng: np.random.Generator) -> np.ndarray:
    """Sums along an axis at most `most`, cut in an order that is drawn."""
    order = np.argsort(rng.random(pool.shape), axis=axis)
    dealt = np.take_along_axis(pool, order, axis)
    total = np.minimum(np.cumsum(dealt, axis=axis), most)
    kept = np.diff(total, axis=axis, prepend=0)
    found = np.empty_like(pool)
    np.put_along_axis(found, order, kept, axis)
    return found
