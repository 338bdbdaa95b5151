"""Subsets worth bidding for lie as close together, or as far apart, as free GPUs allow."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.subsets import Supply, first_of, size_of


def supply(*free: int, domain: list[int] | None = None, rack: list[int] | None = None) -> Supply:
    return Supply(free, domain or [0] * len(free), rack or [0] * len(free))


def test_one_node_that_keeps_least_free_and_the_smallest_pieces() -> None:
    assert supply(8, 4, 5, 1).options(4) == [((1, 4),), ((1, 3), (3, 1))]


def test_where_no_node_has_enough_the_fewest_pieces_of_one_rack() -> None:
    assert supply(3, 3, 2, 4, rack=[0, 0, 1, 1]).options(6)[0] == ((0, 3), (1, 3))
    assert supply(2, 2, 2, 2, 4, rack=[0, 0, 0, 1, 1]).options(6)[0] == ((3, 2), (4, 4))
    assert supply(3, 1, 3, 1, rack=[0, 0, 1, 1]).options(6)[0] == ((0, 3), (2, 3))


def test_gpus_of_two_models_are_never_mixed() -> None:
    assert supply(2, 2, domain=[0, 1]).options(3) == []
    assert supply(2, 3, domain=[0, 1]).options(3) == [((1, 3),)]


def test_an_option_is_given_once() -> None:
    assert supply(0, 5).options(3) == [((1, 3),)]


@pytest.mark.parametrize("seed", range(20))
def test_every_option_fits_and_gives_back_what_it_took(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 8))
    offer = supply(
        *rng.integers(0, 9, nodes).tolist(),
        domain=rng.integers(0, 2, nodes).tolist(),
        rack=rng.integers(0, 3, nodes).tolist(),
    )
    for size in range(1, offer.gpus + 1):
        for subset in offer.options(size):
            assert size_of(subset) == size
            assert min(offer.less(subset).free) >= 0
            assert offer.less(subset).plus(subset) == offer


def test_the_largest_pieces_are_kept() -> None:
    assert first_of(((0, 1), (1, 4), (2, 3)), 6) == ((1, 4), (2, 2))
    assert first_of(((0, 1),), 0) == ()
