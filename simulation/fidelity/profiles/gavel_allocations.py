"""Which fraction of the time a job should spend on each type of GPU, by policy of Gavel's simulator."""

from __future__ import annotations

import random
from typing import NamedTuple, Protocol

import numpy as np

from simulation.mechanisms.programs.in_turn import fastest_in_turn
from simulation.records import Floats, Ints

SEED = 0


class Demand(NamedTuple):
    """Jobs in the order of arrival; types of GPU in alphabetical order."""

    job: Ints  # (n,)
    gang: Ints  # (n,)
    throughput: Floats  # (n, types) steps/s of the whole gang
    gpus: Ints  # (types,)
    left: Floats  # (n,) steps
    age_s: Floats  # (n,) since arrival


class Allocation(Protocol):
    """One object serves one run; it may remember."""

    def shares(self, demand: Demand) -> Floats:
        """(n, types), 0 to 1."""


class Isolated:
    """Every job has its equal part of every type, whatever it is good at."""

    def shares(self, demand: Demand) -> Floats:
        part = demand.gpus / len(demand.job) / demand.gang[:, None]
        whole: Floats = part / np.maximum(1.0, part.sum(axis=1))[:, None]
        return whole


class FifoFastest:
    """By arrival each job has all of its fastest type of those with room; the first that fits nowhere ends it."""

    def shares(self, demand: Demand) -> Floats:
        return fastest_in_turn(demand.gang, demand.throughput, demand.gpus)


class FifoLastType:
    """Gavel's FIFO with its slip: a type is drawn, and the last one of those that have any GPU left is used.

    Jobs keep their type to their end; one that ends leaves it to the first in the queue if it fits by then. As the
    type that is used may have fewer GPUs than the gang, counts fall below 0, and that type is then promised twice.
    """

    def __init__(self) -> None:
        self._type_of: dict[int, int] = {}
        self._gang: dict[int, int] = {}
        self._draw = random.Random(SEED)

    def shares(self, demand: Demand) -> Floats:
        jobs = demand.job.tolist()
        self._gang.update(zip(jobs, demand.gang.tolist(), strict=True))
        self._runs_on = dict(zip(jobs, (demand.throughput > 0).tolist(), strict=True))
        self._queue = [job for job in jobs if job not in self._type_of]
        self._free: list[int] = demand.gpus.tolist()
        self._renew()
        self._fill()
        shares = np.zeros(demand.throughput.shape)
        for i, job in enumerate(jobs):
            if job in self._type_of:
                shares[i, self._type_of[job]] = 1.0
        return shares

    def _renew(self) -> None:
        """Jobs that live take their GPUs, those that have ended pass their type on; in the order of arrival."""
        for job in sorted(self._type_of):
            kind = self._type_of[job]
            if job in self._runs_on:
                self._free[kind] -= self._gang[job]
                continue
            del self._type_of[job]
            head = self._queue[0] if self._queue else None
            if head is not None and self._gang[head] <= self._free[kind] and self._runs_on[head][kind]:
                self._promise(self._queue.pop(0), kind)

    def _fill(self) -> None:
        """A job that does not run on the type used is passed over, and queues again at the next renewal."""
        open_types = [kind for kind, gpus in enumerate(self._free) if gpus > 0]
        for job in self._queue:
            places = [place for place, kind in enumerate(open_types) if self._free[kind] >= self._gang[job]]
            if not places:
                return
            drawn = places[self._draw.randrange(len(places))]
            used = open_types[-1]
            if self._runs_on[job][used]:
                self._promise(job, used)
            if self._free[used] == 0:
                del open_types[drawn]

    def _promise(self, job: int, kind: int) -> None:
        self._type_of[job] = kind
        self._free[kind] -= self._gang[job]
