"""Placement: which GPUs a gang gets. A gang stays inside one domain (GPUs of one model and speed), fastest first.

But for the one member that spans models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.kernels.place import (
    CONSOLIDATE_BEST,
    CONSOLIDATE_FIRST,
    LEAST_CROWDED,
    PER_JOB,
    SPAN_MODELS,
    TAKE_ANY,
)
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.placer import Placer


@dataclass(frozen=True)
class Placement(Mechanism):
    """A member of the family; `rule` is its opcode."""

    @property
    def rule(self) -> int:
        raise NotImplementedError

    def begin(self, view: View) -> int:
        """The rule of one run; where it is PER_JOB, that of each job now stands in the ledger, and stays."""
        return self.rule

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def placer(self, view: View) -> Placer | None:
        """What places jobs by hand in one run, of a member that does so."""
        return None


@dataclass(frozen=True)
class ConsolidateStrictly(Placement):
    """The fewest nodes possible: one node, or entirely free ones plus one for the rest; else the job waits."""

    member: ClassVar[str] = "consolidate-strictly"
    node: str = parameter(
        "first", "which node of several: the first, or the one that keeps least free", choices=("first", "best")
    )

    @property
    def rule(self) -> int:
        return CONSOLIDATE_FIRST if self.node == "first" else CONSOLIDATE_BEST


@dataclass(frozen=True)
class TakeAny(Placement):
    """One node where it fits best, else any free GPUs, the fullest partly used nodes first."""

    member: ClassVar[str] = "take-any"

    @property
    def rule(self) -> int:
        return TAKE_ANY


@dataclass(frozen=True)
class SpanModels(Placement):
    """As take-any; a gang for which no one model has room takes GPUs of several that it permits, at the slowest.

    The fastest models that have enough together, and of these no more fast GPUs than it needs. Who is wider than all
    GPUs of any one model does not run all the same.
    """

    member: ClassVar[str] = "span-models"

    @property
    def rule(self) -> int:
        return SPAN_MODELS


@dataclass(frozen=True)
class AvoidCrowdedPorts(Placement):
    """One node where it fits best, else free GPUs behind the network ports on which it would meet the least of others.

    What it would meet goes by the law of the ports: who uses them, who has priority there, whose phases would collide.
    """

    member: ClassVar[str] = "avoid-crowded-ports"

    @property
    def rule(self) -> int:
        return LEAST_CROWDED


@dataclass(frozen=True)
class ConsolidateBySkew(Placement):
    """Only models with one tensor much larger than the others are consolidated: the others may be spread.

    Of a model whose tensors are not known it is not known either that spreading it does no harm.
    """

    member: ClassVar[str] = "consolidate-by-skew"
    most_skew: float = parameter(
        0.3, "largest tensor over all parameters up to which a gang may be spread", low=0.0, high=1.0,
        source="ours: between VGG16, AlexNet (0.74, 0.61) and ResNet-50, Inception-v3 (0.11, 0.14); published: learnt",
    )  # fmt: skip

    @property
    def rule(self) -> int:
        return PER_JOB

    def begin(self, view: View) -> int:
        may_spread = view.skew <= self.most_skew  # not where it is nan
        if not may_spread.any():
            return CONSOLIDATE_BEST
        view.ledger.rule[:] = np.where(may_spread, TAKE_ANY, CONSOLIDATE_BEST)
        return PER_JOB
