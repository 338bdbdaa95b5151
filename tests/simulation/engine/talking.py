"""Jobs that communicate for a known part of their iterations, on a cluster that lets them."""

from __future__ import annotations

import numpy as np

from simulation.hardware import Links
from simulation.rate_profile import Iteration, RateProfile
from simulation.world.links import RACK, all_reduce_s, wiring

LINKS = Links(island_gb_s=120.0, network_gb_s=1.0)


def talking(name: str, part: float, iteration_s: float = 1.0, gang: int = 4) -> RateProfile:
    """Across nodes of one rack, `part` of an iteration is an all-reduce, of which nothing is hidden."""
    one_s, two_s = (reduce_s(reduced, gang) for reduced in (1e9, 2e9))
    reduced = 1e9 * (part * iteration_s - (2 * one_s - two_s)) / (two_s - one_s)  # less the latency, whatever is moved
    model = Iteration(compute_s=(1 - part) * iteration_s * gang, gradient_bytes=reduced, overlap=1.0)
    return RateProfile(name=name, iteration=model)


def reduce_s(reduced: float, gang: int) -> float:
    """On two nodes."""
    return float(all_reduce_s(np.array([gang]), RACK, reduced, wiring(LINKS, 16))[0])
