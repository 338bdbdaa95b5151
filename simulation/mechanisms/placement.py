"""Placement: which GPUs a gang gets. A gang stays inside one domain (GPUs of one model and speed), fastest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulation.engine.kernels.place import CONSOLIDATE_BEST, CONSOLIDATE_FIRST, TAKE_ANY
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.placer import Placer


@dataclass(frozen=True)
class Placement(Mechanism):
    """A member of the family; `rule` is its opcode."""

    @property
    def rule(self) -> int:
        raise NotImplementedError

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def placer(self, view: View) -> Placer | None:
        """What places jobs by hand in one run, of a member that does so."""
        return None

    def refresh(self, view: View, news: News) -> None:
        """Where the rule is PER_JOB: write that of each job into the ledger, before it is placed."""


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
