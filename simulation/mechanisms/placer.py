"""Placers: members that decide by hand who starts and where, in place of the walk down the order."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.sequence import Sequence
from simulation.records import Floats


class Placer(Protocol):
    """A member at work in one run."""

    def refresh(self, view: View, news: News) -> None:
        """Take in what has happened; call once a decision, first."""

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        """Start jobs in the draft, and stop those that have to make room.

        rule: opcode of the recipe's placement. limit (tenants,): GPUs that its tenancy lets each tenant hold.
        """

    def wake_s(self, view: View) -> float:
        """When it wants to be asked again if nothing happens before; inf: not needed. Asked after each decision."""


class TenantUse:
    """GPUs that tenants hold in the plan in the making, against what they may."""

    def __init__(self, view: View, limit: Floats) -> None:
        running = view.running
        self._used = np.bincount(view.tenant[running], view.held[running], view.tenants)
        self._limit = limit

    def allows(self, view: View, job: int) -> bool:
        """A job above its tenant's whole limit may run while the tenant holds nothing else."""
        used = self._used[view.tenant[job]]
        return not used or bool(used + view.gang[job] <= self._limit[view.tenant[job]])

    def add(self, view: View, job: int) -> None:
        self._used[view.tenant[job]] += view.gang[job]
