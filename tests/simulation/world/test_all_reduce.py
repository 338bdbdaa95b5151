"""Time of an all-reduce: the worked cases, its limits, and what it makes of a job that is moved over a network."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.hardware import Links
from simulation.rate_profile import Iteration, RateProfile
from simulation.world.curves import curve
from simulation.world.links import ISLAND, NODE, RACK, all_reduce_s, wiring

REDUCED_BYTES = 102.2e6  # 25.6 million parameters of 4 bytes
ETHERNET_10G = Links(island_gb_s=120.0, network_gb_s=1.17)
WORKED = [
    ("8 V100 in one node, NVLink", 8, ISLAND, Links(island_gb_s=120.0), 1.55),
    ("8 A100 in one node, NVLink", 8, ISLAND, Links(island_gb_s=240.0), 0.80),
    ("8 GPUs in one node, PCIe 3", 8, NODE, Links(island_gpus=1, node_gb_s=12.0), 14.99),
    ("16 GPUs in 2 nodes, 10 GbE", 16, RACK, ETHERNET_10G, 163.9),
    ("16 GPUs in 2 nodes, one port of 100 Gb/s", 16, RACK, Links(island_gb_s=120.0, network_gb_s=12.0), 16.10),
    ("16 GPUs in 2 nodes, eight ports of 200 Gb/s", 16, RACK, Links(island_gb_s=240.0, network_gb_s=192.0), 1.13),
]


@pytest.mark.parametrize(("gpus", "level", "links", "ms"), [case[1:] for case in WORKED], ids=[c[0] for c in WORKED])
def test_worked_cases(gpus: int, level: int, links: Links, ms: float) -> None:
    found_s = all_reduce_s(np.array([gpus]), level, REDUCED_BYTES, wiring(links, 8))
    assert found_s[0] * 1000 == pytest.approx(ms, rel=0.01)


def test_one_gpu_has_nobody_to_talk_to() -> None:
    assert all_reduce_s(np.array([1, 2]), ISLAND, 0.0, wiring(Links(), 8)).tolist() == [0.0, 0.0]
    assert all_reduce_s(np.array([1]), RACK, REDUCED_BYTES, wiring(Links(), 8)).tolist() == [0.0]


def test_it_rises_with_the_gpus_towards_twice_the_bytes() -> None:
    wires = wiring(Links(island_gb_s=100.0), 64)
    took_s = all_reduce_s(np.arange(2, 65), ISLAND, 1e12, wires)  # so much that latency does not count
    assert (np.diff(took_s) > 0).all()
    assert took_s[-1] == pytest.approx(2 * 1e12 / 100e9, rel=0.02)
    assert took_s[0] == pytest.approx(1e12 / 100e9, rel=0.001)


@pytest.mark.parametrize(
    ("reduced_bytes", "compute_s", "least", "most"), [(400e6, 0.4, 2.0, np.inf), (4e6, 1.6, 1.0, 1.1)]
)
def test_two_nodes_over_10_gbe_slow_who_talks_and_not_who_computes(
    reduced_bytes: float, compute_s: float, least: float, most: float
) -> None:
    profile = RateProfile(name="p", iteration=Iteration(compute_s=compute_s, gradient_bytes=reduced_bytes))
    rates = curve(profile, "V100", 1.0, wiring(ETHERNET_10G, 8), 8).rate[0, :, 8]
    assert least < rates[ISLAND] / rates[RACK] < most


def test_a_link_between_racks_is_shared_by_those_who_oversubscribe_it() -> None:
    links = Links(island_gb_s=120.0, network_gb_s=12.0, oversubscription=4.0)
    speeds = wiring(links, 8).bytes_per_s
    assert speeds.tolist() == [120e9, 120e9, 12e9, 3e9]
