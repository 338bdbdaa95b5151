"""Ordering: who is considered first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.kernels.order import ATTAINED, FIXED, REMAINING, Order
from simulation.engine.view import Regime, View
from simulation.mechanisms.attained import AttainedSequence
from simulation.mechanisms.fair import FairSequence
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.sequence import KeyedSequence, Keys, Sequence
from simulation.records import Floats, Ints

NO_THRESHOLDS = np.zeros(0)
DURATIONS = ("estimate", "oracle", "estimate-else-oracle")


@dataclass(frozen=True)
class Ordering(Mechanism):
    """A member of the family. `begin` makes the order of one run."""

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def begin(self, view: View) -> Sequence:
        raise NotImplementedError

    def compiled(self, view: View) -> Order | None:
        """The compiled form, or None where there is none."""
        return None


@dataclass(frozen=True)
class Arrival(Ordering):
    """First come, first considered."""

    member: ClassVar[str] = "arrival"

    def begin(self, view: View) -> Sequence:
        return KeyedSequence(view, lambda view, jobs: (view.submit_s[jobs], np.zeros(len(jobs))))

    def compiled(self, view: View) -> Order:
        return Order(FIXED, view.submit_s, NO_THRESHOLDS)


@dataclass(frozen=True)
class Shortest(Ordering):
    """Shortest run time first (or least GPU-time), as estimated by the user or as it will truly be."""

    member: ClassVar[str] = "shortest"
    durations: str = parameter("oracle", "which run times it sees", choices=DURATIONS)
    by_gpu_time: bool = parameter(False, "rank by run time x GPUs")

    @property
    def information(self) -> Regime:
        return regime_of(self.durations)

    def begin(self, view: View) -> Sequence:
        return KeyedSequence(view, self._keys)

    def compiled(self, view: View) -> Order:
        return Order(FIXED, self._keys(view, np.arange(len(view.submit_s)))[0], NO_THRESHOLDS)

    def _keys(self, view: View, jobs: Ints) -> Keys:
        size = expected_s(view, jobs, self.durations) * (view.gang[jobs] if self.by_gpu_time else 1)
        return size, np.zeros(len(jobs))


@dataclass(frozen=True)
class ShortestRemaining(Ordering):
    """Least true remaining run time first (or remaining GPU-time)."""

    member: ClassVar[str] = "shortest-remaining"
    by_gpu_time: bool = parameter(False, "rank by remaining run time x GPUs")

    @property
    def information(self) -> Regime:
        return Regime.ORACLE

    def begin(self, view: View) -> Sequence:
        return KeyedSequence(view, self._keys)

    def compiled(self, view: View) -> Order:
        weights = view.gang.astype(np.float64) if self.by_gpu_time else np.ones(len(view.gang))
        return Order(REMAINING, weights, NO_THRESHOLDS)

    def _keys(self, view: View, jobs: Ints) -> Keys:
        left = view.remaining_s(jobs) * (view.gang[jobs] if self.by_gpu_time else 1)
        return left, np.zeros(len(jobs))


@dataclass(frozen=True)
class AttainedService(Ordering):
    """Least GPU-time held so far, in discrete queues: jobs of one queue never preempt each other."""

    member: ClassVar[str] = "attained-service"
    thresholds_gpu_s: tuple[float, ...] = parameter(
        (3600.0,), "GPU-time at which a job leaves each queue, ascending", unit="GPU-s", low=0.0, high=1e9,
        source="Tiresias repository: README and jobs module",
    )  # fmt: skip
    promote: float = parameter(
        0.0, "a job returns to the first queue once it waited this many times what it ran; 0: never",
        unit="waiting/run", low=0.0, high=1e6, source="Tiresias repository, run_sim (PROMOTEKNOB)",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.thresholds_gpu_s) != sorted(set(self.thresholds_gpu_s)):
            raise ValueError(f"AttainedService.thresholds_gpu_s is {self.thresholds_gpu_s!r}, expected ascending")

    def begin(self, view: View) -> Sequence:
        return AttainedSequence(view, np.array(self.thresholds_gpu_s), self.promote)

    def compiled(self, view: View) -> Order | None:
        """Without promotion: that changes the keys of waiting jobs."""
        return None if self.promote > 0 else Order(ATTAINED, np.zeros(0), np.array(self.thresholds_gpu_s))


@dataclass(frozen=True)
class EarliestDeadline(Ordering):
    """Earliest deadline first; jobs without one come last."""

    member: ClassVar[str] = "earliest-deadline"

    def begin(self, view: View) -> Sequence:
        return KeyedSequence(view, lambda view, jobs: (_due_s(view)[jobs], np.zeros(len(jobs))))

    def compiled(self, view: View) -> Order:
        return Order(FIXED, _due_s(view), NO_THRESHOLDS)


@dataclass(frozen=True)
class LeastShare(Ordering):
    """Tenants in turn, the one with the least GPUs for its entitlement first; within a tenant by submission."""

    member: ClassVar[str] = "least-share"
    memory_s: float = parameter(
        0.0, "half-life of GPU-time already received, which counts as if held; 0: only GPUs held now count",
        unit="s", low=0.0, high=1e8,
    )  # fmt: skip

    def begin(self, view: View) -> Sequence:
        return FairSequence(view, self.memory_s)


def _due_s(view: View) -> Floats:
    return np.nan_to_num(view.deadline_s, nan=np.inf)


def expected_s(view: View, jobs: Ints, durations: str) -> Floats:
    """Run time with the gang asked for, as a policy expects it; inf where it has no idea."""
    if durations == "oracle":
        return view.duration_s(jobs)
    estimate_s = view.estimate_s(jobs)
    missing = np.isnan(estimate_s)
    if durations == "estimate-else-oracle" and missing.any():
        return np.where(missing, view.duration_s(jobs), estimate_s)
    return np.where(missing, np.inf, estimate_s)


def regime_of(durations: str) -> Regime:
    return Regime.ESTIMATE if durations == "estimate" else Regime.ORACLE
