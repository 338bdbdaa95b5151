"""Makespan: all jobs that are there should be over as soon as possible."""

from __future__ import annotations

from simulation.mechanisms.programs.demand import Demand
from simulation.records import Floats


def makespan(demand: Demand) -> Floats:
    """(jobs, types) shares with which the last of the jobs ends first: all get on in proportion to what is left."""
    return demand.raised(demand.left_s).share
