"""What the fleet asks of a scaling rule. Members of the family implement it."""

from __future__ import annotations

from typing import Protocol

from simulation.engine.service import Observation
from simulation.scenario import Service


class Scaling(Protocol):
    @property
    def interval_s(self) -> float:
        """Between two looks at a service; inf: never."""

    @property
    def window_s(self) -> float:
        """How far back a look reaches."""

    def replicas(self, service: Service, seen: Observation, quiet_s: float) -> int:
        """How many replicas `service` should have; `quiet_s` since their number last changed."""
