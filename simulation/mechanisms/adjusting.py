"""Adjusters: what a recipe does to a plan once it is known who runs: sharing, inputs, power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism
from simulation.mechanisms.sequence import Sequence


class Adjuster(Protocol):
    """A member at work in one run."""

    def refresh(self, view: View, news: News) -> None:
        """Take in what has happened; call once a decision, first."""

    def adjust(self, view: View, sequence: Sequence | None, draft: Draft) -> None:
        """Change the plan in the making. `sequence` is the recipe's order, None where it has none."""

    def wake_s(self, view: View) -> float:
        """When it wants to be asked again if nothing happens before; inf: not needed."""


@dataclass(frozen=True)
class Adjusting(Mechanism):
    """Base of the families whose members adjust plans."""

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def begin(self, view: View) -> Adjuster | None:
        """The adjuster of one run; None where the member leaves plans as they are."""
        raise NotImplementedError
