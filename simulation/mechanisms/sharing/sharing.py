"""Sharing: several jobs on the same GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from simulation.engine.sharing import ALONE, SharingLaw
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism
from simulation.mechanisms.placer import Placer


@dataclass(frozen=True)
class Sharing(Mechanism):
    """A member of the family; `law` says how jobs that share slow each other down."""

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    @property
    def law(self) -> SharingLaw:
        raise NotImplementedError

    def placer(self, view: View) -> Placer | None:
        """What places jobs in one run, beside others or alone, of a member that does so."""
        return None


@dataclass(frozen=True)
class Exclusive(Sharing):
    """Every job has its GPUs for itself."""

    member: ClassVar[str] = "none"

    @property
    def law(self) -> SharingLaw:
        return ALONE
