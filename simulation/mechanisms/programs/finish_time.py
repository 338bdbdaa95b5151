"""Finish-time fairness: no job should end much later than on an equal part of the cluster."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.records import Floats

CLOSE = 1e-5  # of the largest ratio: better than that is not looked for
MOST_PROGRAMS = 50


def finish_time(demand: Demand) -> Floats:
    """(jobs, types) shares that make the largest ratio of finish times as small as possible.

    A ratio cannot be bettered where no shares give every job the rate that this ratio asks of it. So the rates that
    the best shares so far ask for are raised together as far as possible, until that is hardly further.
    """
    share = np.where(demand.usable, demand.equal_share(), 0.0)
    runs = demand.usable.any(axis=1)
    if not runs.any():
        return share
    worst = np.inf
    for _ in range(MOST_PROGRAMS):
        ratio = float(finish_ratio(demand, (demand.rate * share).sum(axis=1))[runs].max())
        if ratio > worst * (1 - CLOSE):
            break
        worst, best = ratio, share
        needed = demand.left_s / (ratio * _alone_s(demand) - demand.age_s)
        share = demand.raised(np.where(runs, needed, 0.0)).share
    return best


def finish_ratio(demand: Demand, rate: Floats) -> Floats:
    """(jobs,) time from arrival to the end at `rate` (jobs,), over the same on an equal part; inf at no rate.

    nan for a job that can run nowhere.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = (demand.age_s + demand.left_s / rate) / _alone_s(demand)
    return ratio


def _alone_s(demand: Demand) -> Floats:
    """(jobs,) time on an equal part of every type; inf for a job that runs on none."""
    with np.errstate(divide="ignore"):
        alone_s: Floats = demand.isolated_s + demand.left_s / demand.equal_rate()
    return alone_s
