"""Pairs of a graph: nobody is in two of them, and no other pairs weigh more."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.sharing.matching import matching
from simulation.records import Floats
from tests.simulation.mechanisms.sharing.pairings import greedy, heaviest


def weight(weights: Floats) -> float:
    """Of the matching found, after a look at it: pairs are edges, and have no vertex in common."""
    pairs = matching(weights)
    taken = [vertex for pair in pairs for vertex in pair]
    assert len(taken) == len(set(taken))
    assert all(one < other and weights[one, other] > 0 for one, other in pairs)
    return float(sum(weights[pair] for pair in pairs))


def drawn(rng: np.random.Generator, n: int, values: int | None = None, edges: float = 1.0) -> Floats:
    """Symmetric; whole numbers up to `values`, so that many are equal, or any number; a share of the `edges`."""
    found = rng.random((n, n)) if values is None else rng.integers(1, values + 1, (n, n)).astype(np.float64)
    upper = np.triu(found * (rng.random((n, n)) < edges), 1)
    both: Floats = upper + upper.T
    return both


@pytest.mark.parametrize("edges", [1.0, 0.5, 0.25])
@pytest.mark.parametrize("values", [None, 1, 3, 50])
def test_no_other_pairs_weigh_more(values: int | None, edges: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        weights = drawn(rng, int(rng.integers(0, 11)), values, edges)
        assert weight(weights) == pytest.approx(heaviest(weights))


def test_a_greedy_choice_is_never_better_and_often_worse() -> None:
    rng = np.random.default_rng(1)
    both = [(weight(weights), greedy(weights)) for weights in (drawn(rng, 30) for _ in range(40))]
    assert all(ours >= theirs - 1e-9 for ours, theirs in both)
    assert np.mean([ours > theirs + 1e-9 for ours, theirs in both]) > 0.9


def test_one_heavy_edge_gives_way_to_two_lighter_ones() -> None:
    weights = np.zeros((4, 4))
    for one, other, heavy in ((0, 1, 0.6), (1, 2, 1.0), (2, 3, 0.6)):
        weights[one, other] = weights[other, one] = heavy
    assert matching(weights) == [(0, 1), (2, 3)]


def odd_cycles() -> Floats:
    """Two cycles of five with one edge between them, and a vertex hanging on each: cycles inside of cycles form."""
    weights = np.zeros((12, 12))
    for first in (0, 5):
        for at in range(5):
            weights[first + at, first + (at + 1) % 5] = 8.0
    for one, other, heavy in ((2, 7, 7.0), (0, 10, 5.0), (5, 11, 3.0), (1, 3, 8.0), (6, 8, 8.0)):
        weights[one, other] = heavy
    both: Floats = np.maximum(weights, weights.T)
    return both


@pytest.mark.parametrize("seed", range(20))
def test_odd_cycles_in_whatever_order_vertices_come(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(12)
    weights = odd_cycles()[np.ix_(order, order)]
    assert weight(weights) == pytest.approx(heaviest(odd_cycles()))


def test_nobody_is_paired_without_an_edge() -> None:
    assert matching(np.zeros((0, 0))) == []
    assert matching(np.zeros((3, 3))) == []
    assert matching(-np.ones((3, 3))) == []
