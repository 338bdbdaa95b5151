"""A gang that fits into no node goes behind the ports where it is slowed the least, by the law of the ports."""

from __future__ import annotations

import pytest

from simulation.engine.holding import Pieces, held_pieces
from simulation.engine.kernels.place import LEAST_CROWDED, TAKE_ANY
from simulation.mechanisms.network.network import EqualShares, IntensityFirst, Network, PhaseShifts
from simulation.rate_profile import RateProfile
from simulation.scenario import Cluster, Scenario, Workload
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import Scripted, loop_of, put, start
from tests.simulation.engine.talking import LINKS, talking

FIRST, LAST = [(0, 1), (1, 1)], [(2, 1), (3, 1)]


def goes_to(network: Network, first: RateProfile, last: RateProfile, comes: RateProfile, rule: int) -> Pieces:
    """Where two GPUs come from, if one is free on each of four nodes: `first` is on two, `last` on the others."""
    there = [first, last, comes]
    rows = table((0.0, 1e4, 6), (0.0, 1e4, 6), (0.0, 1e4, 2), profile=[p.name for p in there])
    scenario = Scenario(
        cluster=Cluster(pools=[pool(4, 4, links=LINKS)]),
        workload=Workload(jobs=rows, profiles=there),
    )
    script = {0.0: [put(0, (0, 3), (1, 3)), put(1, (2, 3), (3, 3))], 1.0: [start(2, 2, rule)]}
    loop = loop_of(scenario, Scripted(script, network=network))
    loop.open()
    loop.go_on(2.0)
    return sorted(held_pieces(loop.ledger, 2))


@pytest.mark.parametrize(("first", "last", "where"), [(0.3, 0.6, FIRST), (0.6, 0.3, LAST)])
def test_where_others_communicate_less(first: float, last: float, where: Pieces) -> None:
    there = talking("a", first, gang=6), talking("b", last, gang=6)
    assert goes_to(EqualShares(), *there, talking("c", 0.4, gang=2), LEAST_CROWDED) == where
    assert goes_to(EqualShares(), *there, talking("c", 0.4, gang=2), TAKE_ANY) == FIRST


def test_where_phases_fit_even_if_others_communicate_more() -> None:
    """One talks for half of iterations as long as its own; the other less, but in iterations that it always meets."""
    there = talking("fits", 0.5, gang=6), talking("odd", 0.4, 1.01, gang=6)
    comes = talking("c", 0.4, gang=2)
    assert goes_to(PhaseShifts(), *there, comes, LEAST_CROWDED) == FIRST
    assert goes_to(EqualShares(), *there, comes, LEAST_CROWDED) == LAST


def test_where_it_has_priority_even_if_others_communicate_more() -> None:
    there = talking("cheap", 0.8, gang=6), talking("dear", 0.2, gang=6)
    comes = talking("c", 0.3, gang=2)
    assert goes_to(IntensityFirst(), *there, comes, LEAST_CROWDED) == FIRST
    assert goes_to(EqualShares(), *there, comes, LEAST_CROWDED) == LAST
