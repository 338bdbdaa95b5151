"""Sizing: how many GPUs a job of flexible gang gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.planning import Program
from simulation.mechanisms.sequence import Sequence


@dataclass(frozen=True)
class Sizing(Mechanism):
    """A member of the family. `elastic` says whether `adjust` ever does anything.

    A member that `plans` the whole assignment makes a program; `migrates`: it may move jobs so that others fit.
    """

    elastic: ClassVar[bool] = False
    plans: ClassVar[bool] = False
    migrates: ClassVar[bool] = False

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def program(self, view: View, rng: np.random.Generator) -> Program:
        """The program of one run, of a member that plans."""
        raise NotImplementedError

    def adjust(self, view: View, sequence: Sequence, rule: int, draft: Draft) -> None:
        """Change the plan in the making: sizes of jobs that run, starts of jobs that still wait."""


@dataclass(frozen=True)
class FixedGang(Sizing):
    """Every job runs with the gang it asked for."""

    member: ClassVar[str] = "fixed-gang"


@dataclass(frozen=True)
class ElasticGang(Sizing):
    """Jobs shrink towards their smallest gang so that others start, and grow back when GPUs are left over."""

    member: ClassVar[str] = "elastic-gang"
    elastic: ClassVar[bool] = True
    shrink_for_waiting: bool = parameter(True, "running jobs shrink, and waiting ones start small, so that more run")
    regrow: bool = parameter(True, "running jobs take GPUs that nobody waits for, up to their largest gang")

    def adjust(self, view: View, sequence: Sequence, rule: int, draft: Draft) -> None:
        waiting = [int(job) for job in sequence.waiting(view) if not draft.pieces(int(job))]
        running = [int(job) for job in sequence.running(view) if draft.pieces(int(job))]
        flexible = [job for job in running if view.gang_min[job] < view.gang_max[job]]
        if self.shrink_for_waiting:
            waiting = _start_by_shrinking(view, waiting, flexible, rule, draft)
        if self.regrow and (self.shrink_for_waiting or not waiting):
            for job in flexible:
                if draft.free.any() and draft.gpus(job) < view.gang_max[job]:
                    draft.grow(job, int(view.gang_max[job]) - draft.gpus(job))


def _start_by_shrinking(view: View, waiting: list[int], flexible: list[int], rule: int, draft: Draft) -> list[int]:
    """Start waiting jobs, in order, until one cannot be; returns those that still wait."""
    for place, job in enumerate(waiting):
        smallest = int(view.gang_min[job])
        spare = sum(draft.gpus(other) - int(view.gang_min[other]) for other in flexible)
        if smallest > int(draft.free.sum()) + spare or not _start(view, job, smallest, flexible, rule, draft):
            return waiting[place:]
    return []


def _start(view: View, job: int, smallest: int, flexible: list[int], rule: int, draft: Draft) -> bool:
    """Start with as many GPUs as fit without shrinking anyone, else with the fewest after shrinking the last ones."""
    for gpus in range(int(view.gang[job]), smallest - 1, -1):
        if draft.start(job, gpus, rule):
            return True
    before = draft.snapshot()
    for other in reversed(flexible):
        while draft.gpus(other) > view.gang_min[other]:
            draft.shrink(other, 1)
            if draft.start(job, smallest, rule):
                return True
    draft.restore(before)
    return False
