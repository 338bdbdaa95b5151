"""An auction of GPUs: jobs bid with what subsets are worth to them, and a hidden payment makes truth the best bid.

The winners' subsets have the largest product of values. A winner keeps as much of its subset as the others would have
kept of their values without it (partial allocation), so nobody gains by saying that it is worse off than it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from simulation.mechanisms.programs.subsets import Subset, Supply, first_of, size_of

MOST_EXACT = 4  # bidders for whom the best outcome is searched for; more are served greedily

Value = Callable[[Subset], float]
"""Logarithm of what a subset of the offer is worth; the empty one is ()."""


class Bidder(NamedTuple):
    """sizes: numbers of GPUs that it can use, ascending; less than the first is of no use to it.

    own: what it holds and could keep, if that is part of the offer.
    """

    sizes: Sequence[int]
    value: Value
    own: Subset = ()

    def options(self, left: Supply, size: int) -> list[Subset]:
        """Subsets of `size` GPUs to bid for, what it has first: among equals that spares a move."""
        own = [self.own] if size == size_of(self.own) and left.holds(self.own) else []
        return [*own, *left.options(size)]

    def first(self, left: Supply, size: int) -> Subset:
        """The best of `size` GPUs, or nothing."""
        return max(self.options(left, size), key=self.value, default=())


class Outcome(NamedTuple):
    """By bidder: the subset won, the part of it that may be kept, and what is kept."""

    won: list[Subset]
    part: list[float]
    kept: list[Subset]


def auction(offer: Supply, bidders: Sequence[Bidder], payment: bool = True) -> Outcome:
    """Subsets of one `offer`, none of them overlapping. Without `payment` winners keep all that they have won."""
    won = winners(offer, bidders)
    pays = [payment and bool(subset) for subset in won]  # who wins nothing costs nobody anything
    part = [kept_part(offer, bidders, won, i) if pays[i] else 1.0 for i in range(len(bidders))]
    kept = [_kept(*each) for each in zip(bidders, won, part, strict=True)]
    return Outcome(won, part, kept)


def winners(offer: Supply, bidders: Sequence[Bidder]) -> list[Subset]:
    """Disjoint subsets, one a bidder and perhaps empty, with the largest product of values.

    Bidders take in turn, of what is left, the most consolidated or the most scattered GPUs: the best of such outcomes
    for few bidders, a greedy one for many.
    """
    return _exact(offer, bidders) if len(bidders) <= MOST_EXACT else _greedy(offer, bidders)


def kept_part(offer: Supply, bidders: Sequence[Bidder], won: Sequence[Subset], i: int) -> float:
    """The product of the others' values, over the same in the best outcome without bidder i; at most 1."""
    others = [bidder for j, bidder in enumerate(bidders) if j != i]
    beside = [subset for j, subset in enumerate(won) if j != i]
    lost = _total(others, winners(offer, others)) - _total(others, beside)
    return math.exp(-max(0.0, lost))


def _total(bidders: Sequence[Bidder], subsets: Sequence[Subset]) -> float:
    return math.fsum(bidder.value(subset) for bidder, subset in zip(bidders, subsets, strict=True))


def _kept(bidder: Bidder, won: Subset, part: float) -> Subset:
    """Whole GPUs only, and none where they are too few to be of use."""
    size = math.floor(part * size_of(won) + 1e-9)
    return first_of(won, size) if won and size >= bidder.sizes[0] else ()


def _exact(offer: Supply, bidders: Sequence[Bidder]) -> list[Subset]:
    """Depth first, the most promising subset first; what cannot beat the best so far is left out."""
    bounds = _bounds(offer, bidders)
    best: tuple[float, list[Subset]] = (-math.inf, [])

    def search(left: Supply, so_far: float, taken: list[Subset]) -> None:
        nonlocal best
        j = len(taken)
        if j == len(bidders):
            best = max(best, (so_far, taken), key=lambda outcome: outcome[0])
            return
        options = [(bidders[j].value(subset), subset) for subset in _choices(left, bidders[j])]
        for value, subset in sorted(options, key=lambda o: -(o[0] + bounds[j + 1][left.gpus - size_of(o[1])])):
            if so_far + value + bounds[j + 1][left.gpus - size_of(subset)] > best[0]:
                search(left.less(subset), so_far + value, [*taken, subset])

    search(offer, 0.0, [])
    return best[1]


def _choices(left: Supply, bidder: Bidder) -> list[Subset]:
    return [(), *(subset for size in bidder.sizes if size <= left.gpus for subset in bidder.options(left, size))]


def _bounds(offer: Supply, bidders: Sequence[Bidder]) -> list[list[float]]:
    """[j][n]: the most that bidders j and later could have of n GPUs, if they did not get in each other's way."""
    bounds = [[0.0] * (offer.gpus + 1)]
    for bidder in reversed(bidders):
        worth = {size_of(subset): -math.inf for subset in _choices(offer, bidder)}
        for subset in _choices(offer, bidder):
            worth[size_of(subset)] = max(worth[size_of(subset)], bidder.value(subset))
        after = bounds[0]
        bounds.insert(0, [max(v + after[n - s] for s, v in worth.items() if s <= n) for n in range(offer.gpus + 1)])
    return [list(accumulate(bound, max)) for bound in bounds]


def _greedy(offer: Supply, bidders: Sequence[Bidder]) -> list[Subset]:
    """Again and again the subset that raises a bidder's logarithm of value most for each GPU that it adds."""
    won: list[Subset] = [()] * len(bidders)
    left = offer
    while True:
        raises = [found for j, bidder in enumerate(bidders) if (found := _raise(left, bidder, won[j], j))]
        if not raises:
            return won
        _, j, subset = max(raises, key=lambda found: (found[0], -found[1]))
        left = left.plus(won[j]).less(subset)
        won[j] = subset


def _raise(left: Supply, bidder: Bidder, has: Subset, j: int) -> tuple[float, int, Subset] | None:
    """The best step up of one bidder: (rise for each GPU more, bidder, subset)."""
    room, now, size_now = left.plus(has), bidder.value(has), size_of(has)
    best: tuple[float, int, Subset] | None = None
    for size in (size for size in bidder.sizes if size_now < size <= room.gpus):
        for subset in bidder.options(room, size):
            rise = (bidder.value(subset) - now) / (size - size_now)
            if rise > (best[0] if best else 0.0):
                best = rise, j, subset
    return best
