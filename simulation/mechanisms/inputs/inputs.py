"""Inputs: CPU cores and host memory of the jobs that run."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.mechanisms.adjusting import Adjusting


@dataclass(frozen=True)
class Inputs(Adjusting):
    """A member of the family."""
