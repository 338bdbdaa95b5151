"""Power: which nodes are on, and at what clock GPUs run."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.mechanisms.adjusting import Adjusting


@dataclass(frozen=True)
class Power(Adjusting):
    """A member of the family."""
