"""Sums over jobs: work done, or work done for the money, where deadlines leave room for it."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.records import Floats

YIELD = 1e-6  # of the rate that a deadline needs: room for the solver


def total_throughput(demand: Demand) -> Floats:
    """(jobs, types) shares with the most work a second, in GPU-seconds of the reference model."""
    return _most(demand, demand.rate * demand.gang[:, None], _no_floor(demand))


def work_for_money(demand: Demand) -> Floats:
    """(jobs, types) shares with the most work for the price of the GPUs that it is done on.

    Deadlines come first, if all that have not passed can be met together; else they do not count.
    """
    return _most(demand, demand.rate * demand.gang[:, None] / demand.price, _deadlines(demand))


def _deadlines(demand: Demand) -> Floats:
    """(jobs,) the rate that each job needs; -1 where none is asked for."""
    timely = np.flatnonzero(np.isfinite(demand.due_s) & (demand.due_s > 0))
    floor, needed = _no_floor(demand), np.zeros(len(demand.gang))
    needed[timely] = demand.left_s[timely] / demand.due_s[timely]
    fastest = np.where(demand.usable, demand.rate, 0.0).max(axis=1, initial=0.0)
    if len(timely) and (needed <= fastest).all() and demand.raised(needed).level >= 1.0:
        floor[timely] = needed[timely] * (1 - YIELD)
    return floor


def _no_floor(demand: Demand) -> Floats:
    return np.full(len(demand.gang), -1.0)


def _most(demand: Demand, value: Floats, floor: Floats) -> Floats:
    usable = demand.usable
    a_gpu = np.where(usable, value / demand.gang[:, None], 0.0).max(axis=0, initial=0.0)
    bound = float(a_gpu @ demand.gpus)
    scaled = value / bound if bound > 0 else np.zeros(value.shape)
    return demand.maximise(scaled, demand.rate, floor, np.zeros(len(floor))).share
