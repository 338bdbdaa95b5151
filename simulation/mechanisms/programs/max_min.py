"""Max-min fairness: who gets least for what it is entitled to gets as much as possible; then the next, and so on."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.records import Floats

YIELD = 1e-6  # of a level that has been reached: room for the solver in the programs that follow


def max_min(demand: Demand) -> Floats:
    """(jobs, types) shares by water filling. What a job gets is gang x rate, over weight x rate on an equal part.

    Each program raises the lowest level. Where that is all that some job can use, every level up to which all can be
    served is passed at once. Else jobs whose floor has a price cannot be raised without lowering others of their level:
    they keep what they have, and the rest is raised further.
    """
    worth = entitlement(demand)
    most, floor = worth.max(axis=1, initial=0.0), np.zeros(len(worth))
    rising = most > 0
    share = np.zeros(worth.shape)
    while rising.any():
        found = demand.maximise(np.zeros(worth.shape), worth, floor, rising.astype(np.float64))
        share, reached = found.share, np.full(len(worth), found.level)
        stuck = rising & (found.price > found.spare)
        if found.level >= most[rising].min() * (1 - YIELD):
            level, share = _all_served(demand, worth, np.where(rising, most, floor), most[rising], share)
            stuck, reached = rising & (most <= level), most
        floor[stuck] = reached[stuck] * (1 - YIELD)
        rising &= ~stuck
    return share


def entitlement(demand: Demand) -> Floats:
    """(jobs, types): what the whole time on a type is to a job, in parts of what it is entitled to."""
    rate = np.where(demand.usable, demand.rate, 0.0)
    equal = demand.weight * (rate @ (demand.gpus / max(1, demand.gpus.sum())))
    entitled = np.where(equal > 0, equal, 1.0)[:, None]
    return rate * demand.gang[:, None] / entitled


def _all_served(demand: Demand, worth: Floats, most: Floats, levels: Floats, share: Floats) -> tuple[float, Floats]:
    """The highest of `levels` to which all jobs can be raised (but to no more than `most`), and shares that do so."""
    ordered = np.unique(levels)
    low, high = 0, len(ordered)  # the lowest is known to be reached, by `share`
    while high - low > 1:
        middle = (low + high) // 2 if high < len(ordered) else high - 1
        floor = np.minimum(ordered[middle], most) * (1 - YIELD)
        found = demand.maximise(np.zeros(worth.shape), worth, np.zeros(len(worth)), floor)
        if found.level >= 1.0 - YIELD:
            low, share = middle, found.share
        else:
            high = middle
    return float(ordered[low]), share
