"""Scaling: how many replicas a service has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from simulation.engine.service import Observation
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.scenario import Service


@dataclass(frozen=True)
class StaticReplicas(Mechanism):
    """The replicas of the start, for ever."""

    member: ClassVar[str] = "static"
    interval_s: ClassVar[float] = math.inf
    window_s: ClassVar[float] = 0.0

    def replicas(self, service: Service, seen: Observation, quiet_s: float) -> int:
        return seen.replicas


@dataclass(frozen=True)
class UtilisationAutoscaler(Mechanism):
    """As many replicas as keep utilisation at a target: offered load / (throughput of full batches x target).

    Load is the arrival rate of the window, not executed work, so that an overloaded service is seen as such.
    """

    member: ClassVar[str] = "utilisation"
    target: float = parameter(0.8, "utilisation that it aims at", unit="fraction", low=0.05, high=1.0)
    interval_s: float = parameter(60.0, "between two looks", unit="s", low=1.0, high=3600.0)
    window_s: float = parameter(60.0, "how far back a look reaches", unit="s", low=1.0, high=3600.0)
    cooldown_s: float = parameter(300.0, "no scaling down for so long after a change", unit="s", low=0.0, high=86_400.0)

    def replicas(self, service: Service, seen: Observation, quiet_s: float) -> int:
        """Growing is immediate, shrinking waits for the cool-down. No observation: no change."""
        if seen.arrival_rate_per_s is None:
            return seen.replicas
        wanted = replicas_for(service, seen.arrival_rate_per_s, self.target)
        if wanted < seen.replicas and quiet_s < self.cooldown_s:
            return seen.replicas
        return wanted


def throughput_per_s(service: Service) -> float:
    """Requests a second of one replica that always runs full batches; inf where a batch takes no time."""
    batch_s = service.alpha_s + service.beta_s * service.batch_max
    return service.batch_max / batch_s if batch_s > 0 else math.inf


def replicas_for(service: Service, rate_per_s: float, target: float) -> int:
    """The fewest replicas whose utilisation is at most `target` at `rate_per_s`."""
    return math.ceil(rate_per_s / (throughput_per_s(service) * target) - 1e-9)
