"""Sharing: several jobs on the same GPUs."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.engine.sharing import SharingLaw
from simulation.mechanisms.adjusting import Adjusting


@dataclass(frozen=True)
class Sharing(Adjusting):
    """A member of the family; `law` says how jobs that share slow each other down."""

    @property
    def law(self) -> SharingLaw:
        raise NotImplementedError
