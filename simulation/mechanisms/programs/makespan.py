"""Makespan: all jobs that are there should be over as soon as possible."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.records import Floats


def makespan(demand: Demand) -> Floats:
    """(jobs, types) shares with which the last of the jobs ends first: all rates of progress are raised together.

    One program: the level is one over the makespan, in parts of the most that all GPUs could do.
    """
    usable = demand.usable
    fastest = np.where(usable, demand.rate, 0.0).max(axis=1, initial=0.0)
    least_s = demand.left_s / np.where(fastest > 0, fastest, np.inf)
    bound_s = max(float(demand.gang @ least_s) / max(1, int(demand.gpus.sum())), float(least_s.max(initial=0.0)))
    progress = demand.left_s / bound_s if bound_s > 0 else np.zeros(len(least_s))
    return demand.maximise(np.zeros(usable.shape), demand.rate, np.zeros(len(progress)), progress).share
