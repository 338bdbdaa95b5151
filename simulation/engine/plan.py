"""What a policy wants: holdings that end and holdings that begin, applied together or not at all.

A job that is only stopped is preempted; only placed: started or resumed; both: resized (other number of GPUs) or
migrated (same number, other nodes). The pieces of one job stand together. What few recipes want stands beside the plan.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.by_address import ByAddress
from simulation.records import Ints

STOPS, PIECES = 0, 1


class Plan(ByAddress):
    """`stop[:tally[STOPS]]` jobs; pieces (`job`, `node`, `gpus`)[:tally[PIECES]]."""

    stop: Ints
    job: Ints
    node: Ints
    gpus: Ints
    tally: Ints

    @property
    def empty(self) -> bool:
        return not (self.tally[STOPS] or self.tally[PIECES])

    def clear(self) -> None:
        self.tally[:] = 0

    @property
    def stopped(self) -> Ints:
        return self.stop[: self.tally[STOPS]]


class Beside(NamedTuple):
    """Wishes beside a plan, applied with it. A guest shares all GPUs of its host, which holds them after the plan."""

    joins: tuple[tuple[int, int], ...] = ()  # (guest, host)
    settings: tuple[tuple[int, int, float], ...] = ()  # (job, column of State.setting, value)
    refused: tuple[int, ...] = ()  # waiting jobs that are never to run
    power: tuple[tuple[int, bool], ...] = ()  # (node, whether it is to be on)
    counts: tuple[tuple[str, int], ...] = ()  # what the policy wants on record, to be summed over the run

    @property
    def empty(self) -> bool:
        return not any(self)


NOTHING = Beside()


class Decision(NamedTuple):
    """A plan and what stands beside it."""

    plan: Plan
    beside: Beside


def make_plan(gpus: int) -> Plan:
    """An empty plan with room for every GPU of a cluster."""
    stop, job, node, pieces = (np.zeros(max(1, gpus), np.int64) for _ in range(4))
    return Plan(stop, job, node, pieces, np.zeros(2, np.int64))


def plan_of(stops: list[int], pieces: list[tuple[int, int, int]]) -> Plan:
    """A plan from plain lists: jobs to stop, and (job, node, gpus) to take."""
    columns = np.array(pieces, dtype=np.int64).reshape(-1, 3).T.copy()
    counts = np.array([len(stops), len(pieces)], dtype=np.int64)
    return Plan(np.array(stops, dtype=np.int64), columns[0].copy(), columns[1].copy(), columns[2].copy(), counts)
