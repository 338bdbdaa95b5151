"""Walk: how far a recipe goes down the order when a job does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from simulation.engine.kernels.backfill import backfill
from simulation.engine.kernels.fill import fill
from simulation.engine.kernels.queue import sort_running
from simulation.engine.kernels.walk import FIT_FIRST, STOP_AT_HEAD, STOP_AT_TENANT_HEAD, WorkingCopy
from simulation.engine.plan import Plan
from simulation.engine.view import Regime, View
from simulation.mechanisms.ordering import DURATIONS, expected_s, regime_of
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.sequence import Sequence
from simulation.records import Floats


class Filler(Protocol):
    """A walk at work in one run."""

    def fill(self, view: View, sequence: Sequence, rule: int, limit: Floats, room: WorkingCopy, plan: Plan) -> None:
        """Write starts of waiting jobs on free GPUs into `plan`."""


@dataclass(frozen=True)
class Walk(Mechanism):
    """A member of the family; `opcode` is its compiled form, None where it has none."""

    opcode: ClassVar[int | None] = None

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def begin(self, view: View) -> Filler:
        assert self.opcode is not None
        return PlainFiller(self.opcode)


class PlainFiller:
    """Down the order, by opcode."""

    def __init__(self, opcode: int) -> None:
        self._opcode = opcode

    def fill(self, view: View, sequence: Sequence, rule: int, limit: Floats, room: WorkingCopy, plan: Plan) -> None:
        if view.free_gpus:
            order = sequence.waiting(view)
            fill(view.ledger, order, len(order), self._opcode, rule, limit, room, plan)


@dataclass(frozen=True)
class StopAtHead(Walk):
    """The first job that does not fit blocks all behind it."""

    member: ClassVar[str] = "stop-at-head"
    opcode: ClassVar[int | None] = STOP_AT_HEAD


@dataclass(frozen=True)
class StopAtTenantHead(Walk):
    """The first job of a tenant that does not fit blocks that tenant's jobs; other tenants go on."""

    member: ClassVar[str] = "stop-at-tenant-head"
    opcode: ClassVar[int | None] = STOP_AT_TENANT_HEAD


@dataclass(frozen=True)
class FitFirst(Walk):
    """A job that does not fit is passed over; every later one that fits starts."""

    member: ClassVar[str] = "fit-first"
    opcode: ClassVar[int | None] = FIT_FIRST


@dataclass(frozen=True)
class Backfill(Walk):
    """EASY: the first job that does not fit gets a reservation, later ones start if they do not delay it."""

    member: ClassVar[str] = "backfill"
    durations: str = parameter("estimate-else-oracle", "which run times it plans with", choices=DURATIONS)

    @property
    def information(self) -> Regime:
        return regime_of(self.durations)

    def begin(self, view: View) -> Filler:
        return BackfillFiller(expected_s(view, np.arange(len(view.submit_s)), self.durations))


class BackfillFiller:
    """Down the order with one reservation; a job that outlives its estimate is expected to end at any moment."""

    def __init__(self, expected_s: Floats) -> None:
        self._expected_s = expected_s

    def fill(self, view: View, sequence: Sequence, rule: int, limit: Floats, room: WorkingCopy, plan: Plan) -> None:
        if not view.free_gpus:
            return
        jobs = view.running
        ends_s = view.began_s(jobs) + self._expected_s[jobs] * view.gang[jobs] / view.held[jobs]
        ends_s = np.maximum(view.now_s, ends_s)
        sort_running(view.ledger, ends_s, np.zeros(len(ends_s)))
        order = sequence.waiting(view)
        backfill(
            view.ledger, order, len(order), self._expected_s, ends_s, view.now_s, rule, limit, room, plan
        )  # fmt: skip
