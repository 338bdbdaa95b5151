"""What an allocation may aim at, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.finish_time import finish_time
from simulation.mechanisms.programs.in_turn import fastest_in_turn
from simulation.mechanisms.programs.makespan import makespan
from simulation.mechanisms.programs.max_min import max_min
from simulation.mechanisms.programs.most_value import total_throughput, work_for_money
from simulation.records import Floats

Objective = Callable[[Demand], Floats]
"""Shares (jobs, types), from 0 to 1, of the time that each job should spend on each type."""


def isolated(demand: Demand) -> Floats:
    """Every job has its equal part of every type, whatever it is good at."""
    return np.where(demand.usable, demand.equal_share(), 0.0)


def arrival(demand: Demand) -> Floats:
    return fastest_in_turn(demand.gang, demand.rate, demand.gpus)


OBJECTIVES: dict[str, Objective] = {
    "max-min": max_min,
    "finish-time": finish_time,
    "makespan": makespan,
    "total-throughput": total_throughput,
    "cost": work_for_money,
    "arrival": arrival,
    "isolated": isolated,
}
