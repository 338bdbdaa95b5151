"""Network: who gets the bandwidth of a port that several jobs cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.ports import BY_PRIORITY, EQUAL, SHIFTED
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import Mechanism, parameter


@dataclass(frozen=True)
class Network(Mechanism):
    """A member of the family; `law` says how jobs share the ports that they cross."""

    law: ClassVar[int] = EQUAL

    @property
    def information(self) -> Regime:
        return Regime.BLIND

    def begin(self, view: View) -> None:
        """Once, before the first event: what the law has to know of the jobs goes into the ledger."""


@dataclass(frozen=True)
class EqualShares(Network):
    """Whoever communicates at the same time has an equal part of the bandwidth; nobody looks to it when that is."""

    member: ClassVar[str] = "none"


@dataclass(frozen=True)
class IntensityFirst(Network):
    """Who computes more for each second of communication has priority: its GPUs would be the dearest to keep waiting.

    Priorities are those of the gang asked for on the fastest GPUs that it may use, and stay.
    """

    member: ClassVar[str] = "intensity-first"
    law: ClassVar[int] = BY_PRIORITY
    class_ratio: float = parameter(
        2.0, "intensity of one class of priority over that of the one below", low=1.01, high=100.0,
        source="ours; switches have about 8 classes. Intensity: Crux, SIGCOMM 2024 (recalled)",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def begin(self, view: View) -> None:
        intensity = view.compute_for_communication()
        waits = np.isfinite(intensity)  # the others cross no port
        view.ledger.ports.turn[waits] = np.floor(np.log(intensity[waits]) / np.log(self.class_ratio)).astype(np.int64)


@dataclass(frozen=True)
class PhaseShifts(Network):
    """Iterations of a job begin so much later that it communicates while those who share its ports compute.

    A job is shifted once, when it comes to where it is, against those who are there already. The delay, of less than
    an iteration, is not charged. Iterations are taken to 10 ms; those that have no common period meet by chance.
    """

    member: ClassVar[str] = "phase-shifts"
    law: ClassVar[int] = SHIFTED

    @property
    def information(self) -> Regime:
        return Regime.PROFILE
