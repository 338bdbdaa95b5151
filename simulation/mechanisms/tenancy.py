"""Tenancy: how many GPUs the jobs of one tenant may hold at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism, parameter
from simulation.mechanisms.placer import Placer
from simulation.records import Floats


@dataclass(frozen=True)
class Tenancy(Mechanism):
    """A member of the family. A job above the whole limit may run while its tenant holds nothing else."""

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def limit_gpus(self, view: View) -> Floats:
        """(tenants,) GPUs that each tenant may hold."""
        raise NotImplementedError

    def placer(self, view: View) -> Placer | None:
        """What places jobs by hand in one run, of a member that does so."""
        return None


@dataclass(frozen=True)
class NoQuota(Tenancy):
    """Anyone may hold everything."""

    member: ClassVar[str] = "none"

    def limit_gpus(self, view: View) -> Floats:
        return np.full(view.tenants, np.inf)


@dataclass(frozen=True)
class StaticQuota(Tenancy):
    """Each tenant up to its entitled share of the cluster; what others leave idle stays idle."""

    member: ClassVar[str] = "static-quota"

    def limit_gpus(self, view: View) -> Floats:
        return np.floor(view.entitled * view.cluster_gpus + 1e-9)


@dataclass(frozen=True)
class BorrowingQuota(Tenancy):
    """Each tenant up to a ceiling above its entitlement while GPUs are idle; owners wait until jobs end."""

    member: ClassVar[str] = "borrowing-quota"
    ceiling: float = parameter(
        1.0, "share of the cluster that a tenant may grow to by borrowing", unit="fraction", low=0.0, high=1.0,
        source="YARN CapacityScheduler default, recalled",
    )  # fmt: skip

    def limit_gpus(self, view: View) -> Floats:
        return np.floor(np.maximum(view.entitled, self.ceiling) * view.cluster_gpus + 1e-9)
