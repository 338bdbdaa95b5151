"""Jobs that cross the same network ports slow each other down; on ports of their own they do not."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.hardware import Links
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import RunRecords
from simulation.scenario import Cluster, Overheads, Scenario, Workload
from simulation.world.links import RACK, all_reduce_s, wiring
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import Action, play, put, stop

SLOW = Links(island_gb_s=120.0, network_gb_s=1.17)
TALKS = Iteration(compute_s=0.4, gradient_bytes=1e9, overlap=1.0)
SPREAD_2_2 = (0, 2), (1, 2)


def run(script: dict[float, list[Action]], jobs: int = 2, links: Links = SLOW, model: Iteration = TALKS) -> RunRecords:
    profile = RateProfile(name="p", iteration=model)
    rows = table(*((0.0, 100.0, 4) for _ in range(jobs)), profile=["p"] * jobs)
    scenario = Scenario(
        cluster=Cluster(pools=[pool(4, 4, links=links)]), workload=Workload(jobs=rows, profiles=[profile])
    )
    return play(scenario, script)[0]


def alone_s() -> float:
    return float(run({0.0: [put(0, *SPREAD_2_2)]}, jobs=1).jobs.end_s[0])


def communicating() -> float:
    """Part of an iteration of the job that is spread, alone."""
    reduce_s = float(all_reduce_s(np.array([4]), RACK, TALKS.gradient_bytes, wiring(SLOW, 4))[0])
    return reduce_s / (reduce_s + TALKS.compute_s / 4)


def test_on_the_same_ports_each_has_less_bandwidth() -> None:
    """Without overlap a rate falls to 1 / (1 + d x d): the other is there for a part d of the time."""
    both = run({0.0: [put(0, *SPREAD_2_2), put(1, *SPREAD_2_2)]})
    d = communicating()
    assert both.jobs.end_s.tolist() == pytest.approx([alone_s() * (1 + d * d)] * 2)
    assert both.jobs.end_s[0] > 1.5 * alone_s()


def test_on_other_ports_nobody_is_slowed() -> None:
    both = run({0.0: [put(0, *SPREAD_2_2), put(1, (2, 2), (3, 2))]})
    assert both.jobs.end_s.tolist() == [alone_s()] * 2


def test_one_node_is_not_crossed() -> None:
    beside = run({0.0: [put(0, (0, 2), (1, 2)), put(1, (2, 4))]})
    assert beside.jobs.end_s.tolist() == pytest.approx([alone_s(), 100.0])


def test_one_common_port_is_enough_and_the_most_crowded_one_counts() -> None:
    script = {0.0: [put(0, (0, 2), (1, 2)), put(1, (1, 2), (2, 2)), put(2, (2, 2), (3, 2))]}
    chain = run(script, jobs=3).jobs.end_s
    d = communicating()
    assert chain[1] > alone_s() * (1 + d * d) * 0.999
    assert chain[0] == pytest.approx(chain[2])


def test_who_is_left_alone_speeds_up_again() -> None:
    """Two at the slow rate until the second is stopped after half of its work; the first goes on alone."""
    d = communicating()
    slow = 1 + d * d
    until_s = 0.5 * alone_s() * slow
    profile = RateProfile(name="p", iteration=TALKS)
    rows = table((0, 100, 4), (0, 100, 4), profile=["p", "p"])
    scenario = Scenario(
        cluster=Cluster(pools=[pool(4, 4, links=SLOW)]), workload=Workload(jobs=rows, profiles=[profile]),
        overheads=Overheads(), horizon_s=1e6,
    )  # fmt: skip
    records, _ = play(scenario, {0.0: [put(0, *SPREAD_2_2), put(1, *SPREAD_2_2)], until_s: [stop(1)]})
    assert records.jobs.end_s[0] == pytest.approx(until_s + 0.5 * alone_s())


def test_the_order_in_which_they_come_does_not_matter() -> None:
    script = [put(0, (0, 1), (1, 3)), put(1, (0, 1), (2, 3)), put(2, (0, 1), (3, 3))]
    ends = [run({0.0: order}, jobs=3).jobs.end_s.tolist() for order in (script, script[::-1])]
    assert ends[0] == ends[1]


def test_an_unknown_network_slows_nobody() -> None:
    both = run({0.0: [put(0, *SPREAD_2_2), put(1, *SPREAD_2_2)]}, links=Links(island_gb_s=120.0))
    one = run({0.0: [put(0, *SPREAD_2_2)]}, jobs=1, links=Links(island_gb_s=120.0))
    assert both.jobs.end_s.tolist() == [one.jobs.end_s[0]] * 2
    assert both.decisions["rates_extrapolated"] == 2


def test_who_reduces_nothing_neither_slows_nor_is_slowed() -> None:
    quiet = run({0.0: [put(0, *SPREAD_2_2), put(1, *SPREAD_2_2)]}, model=Iteration(compute_s=1.0))
    assert quiet.jobs.end_s.tolist() == [100.0, 100.0]
