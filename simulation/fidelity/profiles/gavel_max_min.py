"""Max-min fairness as a linear program: the job that gets least for what it is entitled to gets as much as possible."""

from __future__ import annotations

import numpy as np

from simulation.fidelity.profiles.gavel_allocations import Demand
from simulation.mechanisms.programs.linear import LinearProgram, maximise
from simulation.records import Floats

DECIMALS = 6  # of shares: what the solver is sure of, so that equal jobs tie


class MaxMin:
    """`by_throughput`: what a job gets is work, compared with its work on an equal part of all types; else time.

    The optimum is far from unique. The middle of all optima is taken, as by the peer's solver; but there digits that
    are noise decide who is served first among equals, so jobs fare alike on average and not one by one.
    """

    def __init__(self, by_throughput: bool) -> None:
        self._by_throughput = by_throughput

    def shares(self, demand: Demand) -> Floats:
        worth = self.worth(demand)
        jobs = len(worth)
        gang, gpus = demand.gang.astype(np.float64), demand.gpus.astype(np.float64)
        found = maximise(LinearProgram(np.zeros(worth.shape), worth, np.zeros(jobs), np.ones(jobs), gang, gpus))
        return np.clip(np.round(found.share, DECIMALS), 0.0, 1.0)

    def worth(self, demand: Demand) -> Floats:
        """(n, types): what a whole share of a type is to a job, in parts of what it is entitled to."""
        rate = demand.throughput if self._by_throughput else np.ones(demand.throughput.shape)
        entitled = rate @ (demand.gpus / demand.gpus.sum())
        worth: Floats = rate * demand.gang[:, None] / entitled[:, None]
        return worth
