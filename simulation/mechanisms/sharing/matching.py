"""Maximum-weight matching: pairs of vertices of any graph, nobody in two of them, whose weights sum to the most.

Edmonds' method with prices, one vertex after the other. Two vertices that pay just the weight of their edge may be a
pair; nobody else may, and who is alone pays nothing: then no matching weighs more than all pay. A newcomer pays enough
to begin with. From it grows a tree of alternating edges, in which every second vertex (even) pays ever less and the
others (odd) more, until the tree meets somebody who is alone, or an even vertex pays nothing and may be alone itself.
Where two even ones meet, the odd cycle that they close becomes one vertex, a blossom, which pays too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner
from simulation.records import Floats, Ints

EVEN, ODD = -1, 1  # also the sign of a change in price
FREED, MET_OTHERS, MET_ITSELF, USED_UP = range(4)
FINENESS = 2.0**40  # steps of a weight: whole numbers add up exactly
NEVER = 2**62


class Search(NamedTuple):
    """Vertices are 0 to n - 1, blossoms n to 2n - 1; `price` is twice what they pay for a unit of weight."""

    weight: Ints  # (n, n) 0: no edge
    price: Ints  # (2n,)
    mate: Ints  # (n,) -1: alone
    top: Ints  # (n,) the outermost blossom around a vertex, or itself
    parent: Ints  # (2n,) the blossom directly around
    base: Ints  # (2n,) the vertex that is not matched inside
    size: Ints  # (2n,) children of a blossom; 0: not in use
    child: Ints  # (2n, n) around the cycle
    link: Ints  # (2n, n, 2) the edge from each child to the next
    mark: Ints  # (2n,) EVEN, ODD or 0: not in the tree
    via: Ints  # (2n, 2) of an odd one: the edge by which the tree came to it
    stack: Ints  # (4n, 2)


def matching(weights: Floats) -> list[tuple[int, int]]:
    """Pairs (lower number first) of the largest total weight; weights (n, n) symmetric, 0 or less: never a pair.

    Weights are told apart to the 2^40th part of the largest.
    """
    largest = float(weights.max(initial=0.0))
    if largest <= 0.0:
        return []
    mates = _match(np.rint(np.maximum(weights, 0.0) / largest * FINENESS).astype(np.int64)).tolist()
    return [(one, other) for one, other in enumerate(mates) if one < other]


@allocating
def _match(weight: Ints) -> Ints:
    n = len(weight)
    nodes = np.arange(2 * n)
    s = Search(
        weight, np.zeros(2 * n, np.int64), np.full(n, -1), nodes[:n].copy(), np.full(2 * n, -1), nodes.copy(),
        np.zeros(2 * n, np.int64), np.zeros((2 * n, n), np.int64), np.zeros((2 * n, n, 2), np.int64),
        np.zeros(2 * n, np.int64), np.zeros((2 * n, 2), np.int64), np.zeros((4 * n, 2), np.int64),
    )  # fmt: skip
    for newcomer in range(n):
        for other in range(newcomer):
            s.price[newcomer] = max(s.price[newcomer], 2 * weight[newcomer, other] - s.price[other])
        if s.price[newcomer] > 0:
            _find_place(s, newcomer)
    return s.mate


@inner
def _find_place(s: Search, newcomer: int) -> None:
    """Grow the tree of a newcomer until all prices are right again; who comes later is not there yet."""
    s.mark[:] = 0
    s.mark[newcomer] = EVEN
    while True:
        event, change, u, v = _next_event(s, newcomer + 1)
        _change_prices(s, newcomer + 1, change)
        if event == FREED:
            _flip(s, u)
            return
        if event == MET_OTHERS:
            met = s.top[v]
            if s.mate[s.base[met]] < 0:
                _rebase(s, met, v)
                _flip(s, u)
                s.mate[u], s.mate[v] = v, u
                return
            s.mark[met] = ODD
            s.via[met, 0], s.via[met, 1] = u, v
            s.mark[s.top[s.mate[s.base[met]]]] = EVEN
        elif event == MET_ITSELF:
            _shrink(s, u, v)
        else:
            _expand(s, u)


@inner
def _next_event(s: Search, present: int) -> tuple[int, int, int, int]:
    """What happens first as prices change, after which change, and to whom: a vertex, an edge, or a blossom."""
    event, least, at, to = FREED, NEVER, -1, -1
    for u in range(present):
        if s.mark[s.top[u]] != EVEN:
            continue
        if s.price[u] < least:
            event, least, at = FREED, s.price[u], u
        for v in range(present):
            if s.weight[u, v] == 0 or s.top[v] == s.top[u] or s.mark[s.top[v]] == ODD:
                continue
            slack = s.price[u] + s.price[v] - 2 * s.weight[u, v]
            both = s.mark[s.top[v]] == EVEN
            if both:
                slack //= 2
            if slack < least:
                event, least, at, to = MET_ITSELF if both else MET_OTHERS, slack, u, v
    for blossom in range(len(s.mate), len(s.size)):
        used = s.size[blossom] > 0 and s.parent[blossom] < 0 and s.mark[blossom] == ODD
        if used and s.price[blossom] // 2 < least:
            event, least, at = USED_UP, s.price[blossom] // 2, blossom
    return event, least, at, to


@inner
def _change_prices(s: Search, present: int, change: int) -> None:
    for v in range(present):
        s.price[v] += change * s.mark[s.top[v]]
    for blossom in range(len(s.mate), len(s.size)):
        if s.size[blossom] > 0 and s.parent[blossom] < 0:
            s.price[blossom] -= 2 * change * s.mark[blossom]


@inner
def _flip(s: Search, u: int) -> None:
    """From even `u` back to the root, edges that were matched no longer are, and the others are; `u` is alone."""
    before = s.mate[s.base[s.top[u]]]
    _rebase(s, s.top[u], u)
    s.mate[u] = -1
    while before >= 0:
        odd = s.top[before]
        u, v = s.via[odd, 0], s.via[odd, 1]
        before = s.mate[s.base[s.top[u]]]
        _rebase(s, odd, v)
        _rebase(s, s.top[u], u)
        s.mate[u], s.mate[v] = v, u


@inner
def _rebase(s: Search, blossom: int, base: int) -> None:
    """Match anew inside, so that `base` is the one that is not; both ends of each pair are bases of theirs."""
    s.stack[0, 0], s.stack[0, 1] = blossom, base
    depth = 1
    while depth:
        depth -= 1
        b, vertex = s.stack[depth, 0], s.stack[depth, 1]
        if s.base[b] == vertex:
            continue
        s.base[b] = vertex
        at, size = _place_of(s, b, vertex), s.size[b]
        s.stack[depth, 0], s.stack[depth, 1] = s.child[b, at], vertex
        depth += 1
        for k in range(1, size, 2):
            one, other = (at + k) % size, (at + k + 1) % size
            u, v = s.link[b, one, 0], s.link[b, one, 1]
            s.mate[u], s.mate[v] = v, u
            s.stack[depth, 0], s.stack[depth, 1] = s.child[b, one], u
            s.stack[depth + 1, 0], s.stack[depth + 1, 1] = s.child[b, other], v
            depth += 2


@inner
def _place_of(s: Search, blossom: int, vertex: int) -> int:
    """Which child of a blossom a vertex is in."""
    inside = vertex
    while s.parent[inside] != blossom:
        inside = s.parent[inside]
    at = 0
    while s.child[blossom, at] != inside:
        at += 1
    return at


@inner
def _edge_up(s: Search, x: int) -> tuple[int, int]:
    """The edge from a vertex or blossom of the tree towards the root: its own end first; -1 at the root."""
    if s.mark[x] == ODD:
        return s.via[x, 1], s.via[x, 0]
    return s.base[x], s.mate[s.base[x]]


@inner
def _shrink(s: Search, u: int, v: int) -> None:
    """Two even ones have met: the cycle up to where their ways to the root join becomes an even blossom."""
    b = len(s.mate)
    while s.size[b] > 0:
        b += 1
    join, behind = _join(s, b, u, v)
    x, size = s.top[u], 0
    while True:
        s.child[b, size] = x
        if x == join:
            break
        s.link[b, size, 0], s.link[b, size, 1] = _edge_up(s, x)
        x = s.top[s.link[b, size, 1]]
        size += 1
    size += 1 + behind
    x, at = s.top[v], size - 1
    s.link[b, at, 0], s.link[b, at, 1] = v, u
    while x != join:
        s.child[b, at] = x
        own, other = _edge_up(s, x)
        at -= 1
        s.link[b, at, 0], s.link[b, at, 1] = other, own
        x = s.top[other]
    s.size[b], s.base[b], s.mark[b], s.parent[b], s.price[b] = size, s.base[join], EVEN, -1, 0
    for at in range(size):
        s.parent[s.child[b, at]] = b
    for w in range(len(s.mate)):
        if s.parent[s.top[w]] == b:
            s.top[w] = b


@inner
def _join(s: Search, unused: int, u: int, v: int) -> tuple[int, int]:
    """Where the ways of `u` and `v` to the root join, and how many there are on that of `v` before it.

    The children of an `unused` blossom are the scratch space.
    """
    x, length = s.top[u], 0
    while True:
        s.child[unused, length] = x
        length += 1
        _, other = _edge_up(s, x)
        if other < 0:
            break
        x = s.top[other]
    x, behind = s.top[v], 0
    while True:
        for at in range(length):
            if s.child[unused, at] == x:
                return x, behind
        _, other = _edge_up(s, x)
        x = s.top[other]
        behind += 1


@inner
def _expand(s: Search, blossom: int) -> None:
    """An odd blossom pays nothing any more: of its children those on the way from its entry to its base stay in the
    tree, along the edges that are matched and not in turn."""
    size = s.size[blossom]
    for at in range(size):
        s.parent[s.child[blossom, at]] = -1
        s.mark[s.child[blossom, at]] = 0
    for w in range(len(s.mate)):
        if s.top[w] == blossom:
            s.top[w] = w
            while s.parent[s.top[w]] >= 0:
                s.top[w] = s.parent[s.top[w]]
    u, v = s.via[blossom, 0], s.via[blossom, 1]
    at = 0
    while s.child[blossom, at] != s.top[v]:
        at += 1
    forward = s.mate[s.link[blossom, at, 0]] == s.link[blossom, at, 1]
    step = 1 if forward else size - 1
    while True:
        odd = s.child[blossom, at]
        s.mark[odd] = ODD
        s.via[odd, 0], s.via[odd, 1] = u, v
        if odd == s.top[s.base[blossom]]:
            break
        between = (at + step) % size
        s.mark[s.child[blossom, between]] = EVEN
        at = (between + step) % size
        if forward:
            u, v = s.link[blossom, between, 0], s.link[blossom, between, 1]
        else:
            v, u = s.link[blossom, at, 0], s.link[blossom, at, 1]
    s.size[blossom] = 0
