"""The auction: the best product of values wins, and winners pay with GPUs what they cost the others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from simulation.mechanisms.programs.auction import Bidder, auction, kept_part, winners
from simulation.mechanisms.programs.subsets import Subset, Supply, size_of

NOTHING = 0.01  # what an empty hand is worth


def supply(*free: int) -> Supply:
    return Supply(free, [0] * len(free), [0] * len(free))


def linear(gpus: int, least: int = 1) -> Bidder:
    """Value is the number of GPUs, wherever they are."""
    return Bidder(range(least, gpus + 1), lambda subset: math.log(size_of(subset) or NOTHING))


def sensitive(gpus: int, loss: float) -> Bidder:
    """Value is the number of GPUs, less `loss` of it for each node after the first."""
    return Bidder(
        range(1, gpus + 1),
        lambda subset: math.log(size_of(subset) * max(NOTHING, 1 - loss * (len(subset) - 1)) or NOTHING),
    )


def test_two_equal_bidders_keep_half_of_their_halves() -> None:
    outcome = auction(supply(8), [linear(8), linear(8)])
    assert [size_of(subset) for subset in outcome.won] == [4, 4]
    assert outcome.part == pytest.approx([0.5, 0.5])
    assert [size_of(subset) for subset in outcome.kept] == [2, 2]


def test_who_costs_nobody_anything_pays_nothing() -> None:
    outcome = auction(supply(8), [linear(4), linear(4)])
    assert outcome.part == [1.0, 1.0]
    assert outcome.kept == outcome.won
    assert auction(supply(8), [linear(8)]).part == [1.0]


def test_without_payment_all_is_kept() -> None:
    outcome = auction(supply(8), [linear(8), linear(8)], payment=False)
    assert outcome.kept == outcome.won


def test_a_gang_that_would_be_cut_below_its_least_keeps_nothing() -> None:
    outcome = auction(supply(8), [linear(8, least=3), linear(8)])
    assert size_of(outcome.won[0]) >= 3
    assert outcome.part[0] < 0.75
    assert outcome.kept[0] == ()


def test_who_suffers_from_spreading_gets_one_node() -> None:
    """4 free GPUs on one node, 2 on each of two others: whoever does not mind takes the pieces."""
    careless, careful = linear(4), sensitive(4, 0.4)
    for order in ([careless, careful], [careful, careless]):
        won = winners(supply(2, 4, 2), order)
        assert won[order.index(careful)] == ((1, 4),)
        assert won[order.index(careless)] == ((0, 2), (2, 2))


def total(bidders: Sequence[Bidder], subsets: Sequence[Subset]) -> float:
    return sum(bidder.value(subset) for bidder, subset in zip(bidders, subsets, strict=True))


def best_by_trying_all(offer: Supply, bidders: Sequence[Bidder]) -> float:
    """All sequences of most consolidated and most spread subsets, in the order of the bidders."""
    outcomes: list[tuple[Supply, float]] = [(offer, 0.0)]
    for bidder in bidders:
        outcomes = [
            (left.less(subset), value + bidder.value(subset))
            for left, value in outcomes
            for subset in [(), *itertools.chain(*(left.options(size) for size in bidder.sizes))]
        ]
    return max(value for _, value in outcomes)


def random_bidders(seed: int, count: int) -> tuple[Supply, list[Bidder]]:
    rng = np.random.default_rng(seed)
    makers: list[Callable[[], Bidder]] = [
        lambda: linear(int(rng.integers(1, 5))), lambda: sensitive(int(rng.integers(1, 5)), rng.uniform(0.1, 0.6)),
    ]  # fmt: skip
    return supply(*rng.integers(0, 4, 3).tolist()), [makers[rng.integers(2)]() for _ in range(count)]


@pytest.mark.parametrize("seed", range(30))
def test_few_bidders_get_the_best_of_all_outcomes(seed: int) -> None:
    offer, bidders = random_bidders(seed, 1 + seed % 3)
    assert total(bidders, winners(offer, bidders)) == pytest.approx(best_by_trying_all(offer, bidders))


@pytest.mark.parametrize("seed", range(20))
def test_many_bidders_get_disjoint_subsets_that_nobody_could_simply_add_to(seed: int) -> None:
    offer, bidders = random_bidders(seed, 8)
    won, left = winners(offer, bidders), offer
    for subset in won:
        left = left.less(subset)
        assert min(left.free) >= 0
    for bidder, subset in zip(bidders, won, strict=True):
        room = left.plus(subset)
        larger = [other for size in bidder.sizes if size > size_of(subset) for other in room.options(size)]
        assert all(bidder.value(other) <= bidder.value(subset) + 1e-12 for other in larger)


@pytest.mark.parametrize("seed", range(20))
def test_a_part_is_between_nothing_and_all(seed: int) -> None:
    offer, bidders = random_bidders(seed, 2 + seed % 4)
    won = winners(offer, bidders)
    assert all(0 < kept_part(offer, bidders, won, i) <= 1 for i in range(len(bidders)))


def test_claiming_to_be_worse_off_wins_more_and_keeps_no_more() -> None:
    """The liar says that its value grows with the square of its GPUs."""
    liar = Bidder(range(1, 9), lambda subset: 2 * math.log(size_of(subset) or NOTHING))
    honest, lied = (auction(supply(8), [first, linear(8)]) for first in (linear(8), liar))
    assert size_of(lied.won[0]) > size_of(honest.won[0])
    assert size_of(lied.kept[0]) <= size_of(honest.kept[0])
