"""Jobs take turns on a network port: by priority, or by phases that are shifted; else they meet by chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np
import pytest

from simulation.engine.kernels.phases import met_part
from simulation.engine.loop import Loop
from simulation.mechanisms.network.network import EqualShares, IntensityFirst, Network, PhaseShifts
from simulation.rate_profile import RateProfile
from simulation.records import Floats
from simulation.scenario import Cluster, Scenario, Workload
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import Action, Scripted, loop_of, put, stop
from tests.simulation.engine.talking import LINKS, talking

GANG = 4
CLUSTER = Cluster(pools=[pool(2, 16, links=LINKS)])
PORTS = ((0, 2), (1, 2))  # pieces on the two nodes that all cross; each has room for all


def side_by_side(network: Network, profiles: Sequence[RateProfile], *more: tuple[float, list[Action]]) -> Loop:
    """All begin at once on the same ports; what is done later comes with its instants."""
    rows = table(*((0.0, 1000.0, GANG) for _ in profiles), profile=[p.name for p in profiles])
    named = list({p.name: p for p in profiles}.values())
    scenario = Scenario(cluster=CLUSTER, workload=Workload(jobs=rows, profiles=named))
    script = dict([(0.0, [put(job, *PORTS) for job in range(len(profiles))]), *more])
    loop = loop_of(scenario, Scripted(script, network=network))
    loop.open()
    loop.go_on(50.0)
    return loop


def pace_s(network: Network, *profiles: RateProfile) -> Floats:
    """Seconds of each for a second of its work."""
    return 1.0 / side_by_side(network, profiles).ledger.rate


def slower(network: Network, *profiles: RateProfile) -> list[float]:
    """How much longer each job takes than alone."""
    alone_s = [float(pace_s(EqualShares(), profile)[0]) for profile in profiles]
    return (pace_s(network, *profiles) / alone_s).tolist()


def test_two_that_communicate_half_of_the_time_lose_nothing_when_shifted() -> None:
    half = talking("half", 0.5)
    assert slower(PhaseShifts(), half, half) == pytest.approx([1.0, 1.0], abs=1e-12)
    assert slower(EqualShares(), half, half) == pytest.approx([1.25, 1.25], rel=1e-6)


@pytest.mark.parametrize("part", [0.2, 0.45, 0.5, 0.6, 0.8])
def test_what_does_not_fit_on_the_circle_stays(part: float) -> None:
    """Two of a part u, shifted, meet for max(0, 2u - 1) of an iteration, and are longer by just that."""
    one = talking("one", part)
    assert slower(PhaseShifts(), one, one) == pytest.approx([1 + max(0.0, 2 * part - 1)] * 2, abs=1e-5)
    assert slower(EqualShares(), one, one) == pytest.approx([1 + part * part] * 2, rel=1e-6)


def test_three_find_their_places_beside_each_other() -> None:
    third, half = talking("third", 0.33), talking("half", 0.5)
    assert slower(PhaseShifts(), third, third, third) == pytest.approx([1.0] * 3, abs=1e-12)
    assert max(slower(PhaseShifts(), half, half, half)) > 1.2


def test_iterations_of_half_the_length_fit_between_and_strange_ones_meet_by_chance() -> None:
    long, short, odd = talking("long", 0.4), talking("short", 0.2, 0.5), talking("odd", 0.4, 1.01)
    assert slower(PhaseShifts(), long, short) == pytest.approx([1.0, 1.0], abs=1e-12)
    by_chance = slower(EqualShares(), long, odd)
    assert slower(PhaseShifts(), long, odd) == pytest.approx(by_chance, rel=5e-3)


@pytest.mark.parametrize(("period", "other"), [(60, 60), (60, 40), (90, 60), (30, 120), (70, 30)])
def test_how_often_two_meet_is_counted_instant_by_instant(period: int, other: int) -> None:
    rng = np.random.default_rng(period + other)
    for _ in range(20):
        busy, its, gap = int(rng.integers(1, period + 1)), int(rng.integers(1, other + 1)), int(rng.integers(0, other))
        instants = np.arange(period * other // gcd(period, other))
        mine, theirs = instants % period < busy, (instants - gap) % other < its
        assert met_part(period, busy, other, its, gap) == pytest.approx((mine & theirs).sum() / mine.sum())
        best = min(met_part(period, busy, other, its, shift) for shift in range(gcd(period, other)))
        assert met_part(period, busy, other, its, -1) == pytest.approx(best)


def test_who_has_priority_loses_nothing_and_the_other_waits_for_it() -> None:
    """Both communicate half of the time; one has the GPUs of a longer iteration: as much computing, less talking."""
    dear, cheap = talking("dear", 0.4), talking("cheap", 0.8)
    high, low = slower(IntensityFirst(), dear, cheap)
    assert high == 1.0
    assert low == pytest.approx(0.2 + 0.8 / (1 - 0.4), rel=1e-6)
    assert slower(IntensityFirst(), cheap, dear) == [low, high]


def test_equals_in_priority_share_as_ever() -> None:
    half = talking("half", 0.5)
    assert slower(IntensityFirst(), half, half) == slower(EqualShares(), half, half)


@pytest.mark.parametrize("network", [PhaseShifts(), IntensityFirst()])
def test_who_is_left_alone_is_as_fast_as_alone_again(network: Network) -> None:
    one, two = talking("one", 0.6), talking("two", 0.6)
    loop = side_by_side(network, (one, two), (10.0, [stop(1)]))
    assert 1.0 / loop.ledger.rate[0] == pytest.approx(float(pace_s(EqualShares(), one)[0]))
