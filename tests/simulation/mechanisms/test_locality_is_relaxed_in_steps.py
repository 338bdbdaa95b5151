"""Where a gang goes at each level of locality, against every set of nodes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from simulation.mechanisms.locality import Locality, Nodes, fewest_nodes, find, gather

FEWEST, RACK, ANYWHERE = Locality


def nodes(*free: tuple[int, ...], size: int = 8) -> Nodes:
    """Racks of nodes of `size`, by what each node has free."""
    flat = [gpus for rack in free for gpus in rack]
    racks = [number for number, rack in enumerate(free) for _ in rack]
    return Nodes(np.array(flat), np.full(len(flat), size), np.array(racks))


def test_a_small_job_goes_to_the_fullest_node_with_room() -> None:
    assert find(nodes((8, 3), (4, 8)), 2, FEWEST) == [(1, 2)]
    assert find(nodes((8, 3), (4, 8)), 4, FEWEST) == [(2, 4)]
    assert find(nodes((3, 3), (2, 1)), 4, FEWEST) is None


def test_a_gang_insists_on_the_fewest_nodes_of_one_rack() -> None:
    assert find(nodes((8, 7, 8), (8, 8)), 16, FEWEST) == [(3, 8), (4, 8)]  # that rack is the least used
    assert find(nodes((8, 7), (8, 3)), 16, FEWEST) is None
    assert find(nodes((8, 4), (8, 3)), 12, FEWEST) == [(0, 8), (1, 4)]


def test_any_nodes_of_a_rack_will_do_later() -> None:
    assert find(nodes((4, 4, 4, 4), (8, 7, 0, 0)), 16, FEWEST) is None
    assert find(nodes((4, 4, 4, 4), (8, 7, 0, 0)), 16, RACK) == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert find(nodes((4, 4), (8, 3)), 12, RACK) is None


def test_in_the_end_gpus_anywhere_will_do() -> None:
    assert find(nodes((4, 4), (8, 3)), 12, ANYWHERE) == [(2, 8), (3, 3), (0, 1)]
    assert find(nodes((4, 4), (8, 3)), 20, ANYWHERE) is None


def test_fewest_nodes_of_unequal_ones() -> None:
    assert [fewest_nodes(np.array([4, 8, 2]), gpus) for gpus in (1, 8, 9, 12, 13, 14)] == [1, 1, 2, 2, 3, 3]


def possible(where: Nodes, gpus: int, locality: Locality) -> bool:
    """Whether any set of nodes meets the locality: tried one by one."""
    everyone = range(len(where.free))
    least = fewest_nodes(where.size, gpus)
    for count in everyone:
        for chosen in combinations(everyone, count + 1):
            one_rack = len({int(where.rack[node]) for node in chosen}) == 1
            enough = int(where.free[list(chosen)].sum()) >= gpus
            few = len(chosen) <= least
            meets = {FEWEST: one_rack and few, RACK: one_rack, ANYWHERE: True}[locality]
            if enough and meets:
                return True
    return False


@pytest.mark.parametrize("locality", list(Locality))
@pytest.mark.parametrize("seed", range(30))
def test_a_set_is_found_wherever_there_is_one(seed: int, locality: Locality) -> None:
    rng = np.random.default_rng(seed)
    where = nodes(*(tuple(rng.integers(0, 9, 3).tolist()) for _ in range(2)))
    for gpus in (1, 3, 8, 9, 16, 20):
        pieces = find(where, gpus, locality)
        assert (pieces is not None) == possible(where, gpus, locality)
        if pieces is not None:
            assert sum(got for _, got in pieces) == gpus
            assert all(0 < got <= where.free[node] for node, got in pieces)
            assert len({node for node, _ in pieces}) == len(pieces)
            racks = {int(where.rack[node]) for node, _ in pieces}
            assert locality is ANYWHERE or len(racks) == 1
            assert locality is not FEWEST or len(pieces) <= fewest_nodes(where.size, gpus)


def test_a_gang_that_finds_no_set_holds_what_is_free_where_it_would_go() -> None:
    assert gather(nodes((3, 5), (4, 1)), 8, FEWEST) == [(1, 5)]
    assert gather(nodes((8, 3), (8, 7)), 16, FEWEST) == [(2, 8), (3, 7)]
    assert gather(nodes((4, 4), (1, 3)), 16, RACK) == [(0, 4), (1, 4)]
    assert gather(nodes((0, 0), (0, 0)), 16, ANYWHERE) == []
