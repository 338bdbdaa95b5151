"""Finish-time fairness, least duration and most throughput of Gavel's simulator, as linear programs.

Their optima are far from unique. The middle of all optima is taken, as by the peer's solver; but there digits that are
noise decide who is served first among equals, so jobs fare alike on average and not one by one.
"""

from __future__ import annotations

import numpy as np

from simulation.fidelity.profiles.gavel_allocations import Demand, Isolated
from simulation.mechanisms.programs.linear import LinearProgram, Optimum, maximise
from simulation.records import Floats

DECIMALS = 6  # of shares: what the solver is sure of, so that equal jobs tie
CLOSE, MOST_PROGRAMS = 1e-5, 50  # of the largest ratio: better than that is not looked for
FIRST_S, LAST_S, SEARCHED = 100.0, 1e6, 1.05  # durations between which the least is searched, and how narrowly


class FinishTime:
    """The largest ratio of a job's time to its end over that on an equal part of the cluster is made least."""

    def __init__(self) -> None:
        self._alone_s: dict[int, float] = {}  # time that the work done so far would have taken on an equal part
        self._before: dict[int, tuple[float, float]] = {}  # at the last renewal: steps left, rate on an equal part

    def shares(self, demand: Demand) -> Floats:
        share = Isolated().shares(demand)
        equal = (demand.throughput * share).sum(axis=1)
        alone_s = self._account(demand, equal) + demand.left / equal
        worst, best = np.inf, share
        for _ in range(MOST_PROGRAMS):
            with np.errstate(divide="ignore"):
                ends_s = demand.age_s + demand.left / (demand.throughput * share).sum(axis=1)
            ratio = float((ends_s / alone_s).max())
            if ratio > worst * (1 - CLOSE):
                break
            worst, best = ratio, share
            share = raised(demand, demand.left / (ratio * alone_s - demand.age_s)).share
        return rounded(best)

    def _account(self, demand: Demand, equal: Floats) -> Floats:
        jobs = demand.job.tolist()
        for job, left in zip(jobs, demand.left.tolist(), strict=True):
            left_before, rate = self._before.get(job, (left, 1.0))
            self._alone_s[job] = self._alone_s.get(job, 0.0) + (left_before - left) / rate
        self._before = dict(zip(jobs, zip(demand.left.tolist(), equal.tolist(), strict=True), strict=True))
        return np.array([self._alone_s[job] for job in jobs])


class LeastDuration:
    """All that is left should be done as soon as possible; the peer stops a search at 5 % above the least duration."""

    def shares(self, demand: Demand) -> Floats:
        least_s = 1.0 / raised(demand, demand.left).level
        first_s, last_s, reach_s = FIRST_S, LAST_S, LAST_S
        while least_s > reach_s:
            first_s, last_s, reach_s = reach_s, reach_s * 10, reach_s * 10
        while SEARCHED * first_s < last_s:
            middle_s = (first_s + last_s) / 2
            first_s, last_s = (first_s, middle_s) if middle_s >= least_s else (middle_s, last_s)
        return rounded(_program(demand, floor=demand.left / last_s).share)


class MostThroughput:
    """The sum of steps a second, of whatever kind, is made greatest."""

    def shares(self, demand: Demand) -> Floats:
        nothing = np.full(len(demand.job), -1.0)
        bound = float((demand.throughput / demand.gang[:, None]).max(axis=0) @ demand.gpus)
        return rounded(_program(demand, floor=nothing, value=demand.throughput / bound).share)


def raised(demand: Demand, rate: Floats) -> Optimum:
    """All jobs run at one multiple of their `rate`, as large as possible: `level`."""
    return _program(demand, lift=rate)


def rounded(share: Floats) -> Floats:
    return np.clip(np.round(share, DECIMALS), 0.0, 1.0)


def _program(
    demand: Demand, floor: Floats | None = None, lift: Floats | None = None, value: Floats | None = None
) -> Optimum:
    """Rates are in parts of the fastest type of each job, so that rows are of one size. None: nothing."""
    fastest, none = demand.throughput.max(axis=1), np.zeros(len(demand.job))
    return maximise(
        LinearProgram(
            np.zeros(demand.throughput.shape) if value is None else value,
            demand.throughput / fastest[:, None],
            none if floor is None else floor / fastest,
            none if lift is None else lift / fastest,
            demand.gang.astype(np.float64),
            demand.gpus.astype(np.float64),
        )
    )
