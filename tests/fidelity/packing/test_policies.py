"""Which node each policy prefers, and what a fragment is, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.fidelity.packing.arrivals import pack
from simulation.fidelity.packing.demand import until_full
from simulation.fidelity.packing.fragments import fragment_milli, typical
from simulation.fidelity.packing.nodes import Nodes
from simulation.fidelity.packing.scores import ALIGNED, ANY, BEST_FIT, CLUSTERED, LEAST_FRAGMENTED, PACKED
from tests.fidelity.packing.test_nodes import demands, nodes

HALF, WHOLE, PAIR, NONE = (1, 1, 1, 500, 0), (1, 1, 1, 1000, 0), (1, 1, 2, 1000, 0), (1, 1, 0, 0, 0)


def placed(n: Nodes, policy: int, *rows: tuple[int, int, int, int, int], seed: int = 0) -> list[int]:
    """Nodes of demands, one after the other; those that are typical are the same."""
    wanted = demands(*rows)
    return pack(n, wanted, policy, typical(wanted), np.random.default_rng(seed)).node.tolist()


def test_packed_uses_gpus_in_use_then_nodes_in_use() -> None:
    assert placed(nodes([4, 4]), PACKED, HALF, WHOLE, HALF) == [0, 0, 0]


def test_clustered_keeps_kinds_apart() -> None:
    assert placed(nodes([4, 4]), CLUSTERED, HALF, WHOLE, HALF, WHOLE) == [0, 1, 0, 1]


def test_best_fit_takes_the_smallest_node_that_holds_it() -> None:
    assert placed(nodes([8, 2]), BEST_FIT, PAIR) == [1]


def test_aligned_keeps_what_is_wide_where_the_demand_is() -> None:
    """GPUs are asked for: the node with many of them is left for later."""
    assert placed(nodes([8, 2]), ALIGNED, PAIR) == [1]


def test_least_fragmented_puts_halves_together() -> None:
    n = nodes([2, 2])
    n.gpu[0], n.gpu[1] = [1000, 1000], [500, 1000]
    assert placed(n, LEAST_FRAGMENTED, HALF, PAIR) == [1, 0]
    assert n.gpu[1].tolist() == [0, 1000]


def test_by_lot_every_node_has_its_share() -> None:
    first = [placed(nodes([1, 1, 1]), ANY, WHOLE, seed=seed)[0] for seed in range(300)]
    assert np.bincount(first).min() > 60


@pytest.mark.parametrize("policy", [ANY, ALIGNED, CLUSTERED, PACKED, BEST_FIT, LEAST_FRAGMENTED])
def test_what_fits_nowhere_is_turned_away_and_what_is_held_adds_up(policy: int) -> None:
    rng = np.random.default_rng(3)
    kinds = [HALF, WHOLE, PAIR, NONE, (3000, 1, 1, 250, 0)]
    wanted = demands(*(kinds[k] for k in rng.integers(len(kinds), size=60)))
    n = nodes([2, 4, 8])
    packing = pack(n, wanted, policy, typical(wanted), rng)
    inside = packing.node >= 0
    assert 0 < inside.sum() < 60
    held = np.where(n.gpu >= 0, 1000 - n.gpu, 0).sum()
    assert packing.used_milli[-1] == held == wanted.total_milli[inside].sum()
    assert n.gpu.max() <= 1000
    assert n.cpu.min() >= 0
    whole = sum(fragment_milli(typical(wanted), n, node, n.cpu[node]) for node in range(3))
    assert packing.fragment_milli[-1] == pytest.approx(whole)


def test_a_fragment_is_what_the_typical_demand_cannot_use() -> None:
    """Half of the demands want two GPUs: of 1.5 free GPUs those can use none, the others the whole one."""
    n, t = nodes([2]), typical(demands(PAIR, WHOLE))
    n.gpu[0] = [1000, 500]
    assert fragment_milli(t, n, 0, 8000) == 0.5 * 1500 + 0.5 * 500
    assert fragment_milli(t, n, 0, 0) == 1500


def test_typical_are_the_most_frequent_up_to_their_share() -> None:
    t = typical(demands(*[WHOLE] * 90, *[PAIR] * 6, *[HALF] * 4))
    assert t.gpus.tolist() == [1, 2]
    assert t.frequency.tolist() == [90 / 96, 6 / 96]


def test_demand_is_drawn_again_up_to_what_was_asked_for() -> None:
    wanted = demands(WHOLE, PAIR, NONE)
    rng = np.random.default_rng(0)
    more = wanted.at(until_full(wanted, 20_000, rng)).total_milli.sum()
    assert 18_000 < more <= 21_000
    assert wanted.at(until_full(wanted, 2000, rng)).total_milli.sum() <= 2000
    with pytest.raises(ValueError, match="none of the demands is for GPUs"):
        until_full(demands(NONE), 1000, rng)
