"""Preemption: when running jobs may lose their GPUs to others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from simulation.mechanisms.parameters import Mechanism, parameter


@dataclass(frozen=True)
class Preemption(Mechanism):
    """A member of the family."""

    possible: ClassVar[bool] = True
    kills: ClassVar[bool] = False  # whether the job loses what it has not saved
    constant: ClassVar[bool | None] = None  # what `now` always answers (the compiled form); None: it depends

    def now(self, now_s: float) -> bool:
        """Whether running jobs may be moved at this instant."""
        raise NotImplementedError

    def wake_s(self, now_s: float) -> float:
        """The next instant at which they may be, if it is worth a decision of its own; inf: not needed."""
        return math.inf


@dataclass(frozen=True)
class NoPreemption(Preemption):
    """A job that runs keeps its GPUs to its end."""

    member: ClassVar[str] = "none"
    possible: ClassVar[bool] = False
    constant: ClassVar[bool | None] = False

    def now(self, now_s: float) -> bool:
        return False


@dataclass(frozen=True)
class Immediate(Preemption):
    """At every decision."""

    member: ClassVar[str] = "immediate"
    constant: ClassVar[bool | None] = True

    def now(self, now_s: float) -> bool:
        return True


@dataclass(frozen=True)
class Killing(Immediate):
    """At every decision, and whoever is stopped loses what it has not saved."""

    member: ClassVar[str] = "killing"
    kills: ClassVar[bool] = True


@dataclass(frozen=True)
class BeginAnew(NoPreemption):
    """Nobody is preempted for others; whoever is stopped for another reason loses what it has not saved."""

    member: ClassVar[str] = "begin-anew"
    kills: ClassVar[bool] = True


@dataclass(frozen=True)
class Rounds(Preemption):
    """All leases end together, at multiples of their length; in between jobs only start on free GPUs."""

    member: ClassVar[str] = "rounds"
    lease_s: float = parameter(600.0, "length of a lease", unit="s", low=1.0, high=86_400.0, source="Themis, recalled")

    def now(self, now_s: float) -> bool:
        return now_s == round(now_s / self.lease_s) * self.lease_s

    def wake_s(self, now_s: float) -> float:
        due_s = math.ceil(now_s / self.lease_s) * self.lease_s
        return due_s if due_s > now_s else (math.floor(now_s / self.lease_s) + 1) * self.lease_s
