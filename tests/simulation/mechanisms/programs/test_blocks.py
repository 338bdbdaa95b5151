"""Buddy blocks always fit where they fit in sum, and move as little as that takes."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.programs.blocks import Pieces, ladder, place_blocks

NODES, GPUS = 4, 8
ROOM = np.full(NODES, GPUS)


def used(placed: dict[int, Pieces]) -> list[int]:
    return [sum(g for p in placed.values() for n, g in p if n == node) for node in range(NODES)]


def random_sizes(rng: np.random.Generator, most: int) -> dict[int, int]:
    sizes: dict[int, int] = {}
    while (size := int(rng.choice(ladder(16)))) + sum(sizes.values()) <= most:
        sizes[len(sizes)] = size
    return sizes


@pytest.mark.parametrize("seed", range(30))
def test_what_fits_in_sum_fits(seed: int) -> None:
    """However scattered the blocks were before."""
    rng = np.random.default_rng(seed)
    before = place_blocks(random_sizes(rng, NODES * GPUS), {}, ROOM)
    survivors = {job: pieces for job, pieces in before.items() if rng.random() < 0.5}
    sizes = {job: sum(g for _, g in pieces) for job, pieces in survivors.items()}
    sizes |= {100 + job: size for job, size in random_sizes(rng, NODES * GPUS - sum(sizes.values())).items()}
    placed = place_blocks(sizes, survivors, ROOM)
    assert {job: sum(g for _, g in pieces) for job, pieces in placed.items()} == sizes
    assert max(used(placed)) <= GPUS
    assert all(len(pieces) == max(1, sizes[job] // GPUS) for job, pieces in placed.items())


def test_a_block_stays_where_it_is() -> None:
    held: dict[int, Pieces] = {1: ((2, 4),), 2: ((3, 2),)}
    placed = place_blocks({1: 4, 2: 2, 3: 8}, held, ROOM)
    assert (placed[1], placed[2]) == (held[1], held[2])
    assert placed[3] == ((0, 8),)


def test_a_large_block_moves_the_smallest_ones() -> None:
    held: dict[int, Pieces] = {1: ((0, 4),), 2: ((1, 1),), 3: ((2, 4),), 4: ((3, 2),)}
    placed = place_blocks({1: 4, 2: 1, 3: 4, 4: 2, 5: 8}, held, ROOM)
    assert placed[5] == ((1, 8),)
    assert (placed[1], placed[3], placed[4]) == (held[1], held[3], held[4])
    assert placed[2] == ((0, 1),)  # where least is left


def test_a_changed_size_is_placed_anew_and_too_much_is_left_out() -> None:
    placed = place_blocks({1: 8, 2: 64}, {1: ((0, 4),)}, ROOM)
    assert placed == {1: ((0, 8),)}


def test_whole_nodes_carry_what_is_wider_than_one() -> None:
    assert place_blocks({7: 16}, {}, ROOM) == {7: ((0, 8), (1, 8))}


def test_a_ladder_ends_at_the_most() -> None:
    assert ladder(8) == [1, 2, 4, 8]
    assert ladder(7) == [1, 2, 4]
    assert ladder(0) == []
