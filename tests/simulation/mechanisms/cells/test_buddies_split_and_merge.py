"""Buddy cells: what is taken is never taken twice, and all that is given back becomes whole again."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.cells.buddies import BuddyCells, Cell, cell_sizes

SIZES = (1, 2, 4, 8)


def gpus_of(cell: Cell, sizes: tuple[int, ...] = SIZES) -> set[int]:
    return set(range(cell.start, cell.start + sizes[cell.level]))


@pytest.mark.parametrize(
    ("node", "wanted", "sizes"),
    [
        (8, (1, 2, 4, 8), (1, 2, 4, 8)),
        (6, (1, 2, 4, 8), (1, 2, 6)),
        (1, (1, 2), (1,)),
        (16, (4, 8), (1, 4, 8, 16)),
        (8, (1, 3, 6), (1, 8)),
    ],
)
def test_sizes_divide_up_to_the_node(node: int, wanted: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    assert cell_sizes(node, wanted) == sizes
    BuddyCells(1, sizes)


def test_sizes_that_do_not_divide_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(1, 3, 8\), expected each to divide the next"):
        BuddyCells(1, (1, 3, 8))


def test_the_smallest_sufficient_cell_is_split_first() -> None:
    cells = BuddyCells(2, SIZES)
    assert cells.take(0) == Cell(0, 0)
    assert [cells.free_cells(level) for level in (0, 1, 2, 3)] == [
        [Cell(0, 1)],
        [Cell(1, 2)],
        [Cell(2, 4)],
        [Cell(3, 8)],
    ]
    assert cells.take(1) == Cell(1, 2)
    assert cells.take(3) == Cell(3, 8)
    assert cells.take(3) is None


def test_buddies_merge_up_to_the_node() -> None:
    cells = BuddyCells(1, SIZES)
    taken = [cells.take(0) for _ in range(8)]
    assert cells.take(0) is None
    for cell in reversed(taken):
        assert cell is not None
        cells.give_back(cell)
    assert cells.free_cells(3) == [Cell(3, 0)]
    assert not any(cells.free_cells(level) for level in (0, 1, 2))


def test_the_cheapest_cell_is_taken_at_every_split() -> None:
    """Guests sit on GPUs 0 to 4 and 8: the only pair without any on the first node is that of 6 and 7."""
    guests = {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13}
    cells = BuddyCells(2, SIZES)
    assert cells.take(1, cost=lambda cell: len(gpus_of(cell) & guests)) == Cell(1, 6)


def test_a_gang_that_crosses_nodes_has_no_level() -> None:
    assert [BuddyCells(1, SIZES).level_for(gpus) for gpus in (1, 2, 3, 5, 8)] == [0, 1, 2, 3, 3]
    with pytest.raises(ValueError, match="9 GPUs, expected at most 8"):
        BuddyCells(1, SIZES).level_for(9)


def test_what_is_left_of_larger_cells_counts_for_smaller_ones() -> None:
    cells = BuddyCells(2, SIZES)
    assert cells.spare([0, 0, 1, 1]) == [4, 2, 1, 1]
    assert cells.spare([0, 0, 3, 1]) is None
    assert cells.spare([16, 0, 0, 0]) == [0, 8, 4, 2]
    assert cells.spare([17, 0, 0, 0]) is None


@pytest.mark.parametrize("seed", range(20))
def test_free_and_taken_cells_tile_the_chain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, held = BuddyCells(4, SIZES), []
    for _ in range(200):
        if held and rng.random() < 0.45:
            cells.give_back(held.pop(int(rng.integers(len(held)))))
        else:
            cell = cells.take(int(rng.integers(4)))
            if cell is not None:
                held.append(cell)
        free = [cell for level in range(4) for cell in cells.free_cells(level)]
        covered = sorted(gpu for cell in (*free, *held) for gpu in gpus_of(cell))
        assert covered == list(range(32))
        _buddies_are_merged(free)


def _buddies_are_merged(free: list[Cell]) -> None:
    """No parent whose cells are all free is left in parts."""
    for level in range(3):
        starts = {cell.start for cell in free if cell.level == level}
        size = SIZES[level + 1]
        for parent in {start // size * size for start in starts}:
            assert not set(range(parent, parent + size, SIZES[level])) <= starts
