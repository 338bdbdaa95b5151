"""Choice of instances by price: the most work for the money, and whether a move to it is worth what it costs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulation.records import Floats

HOUR_S = 3600.0


def work_for_money(rate: Floats, usd_per_h: Floats) -> Floats:
    """(instances,) seconds of reference work for a dollar: `rate` is speed on the GPUs used, the price is theirs.

    What costs nothing is worth inf where it works at all.
    """
    worth = np.full(len(rate), np.inf)
    np.divide(rate * HOUR_S, usd_per_h, out=worth, where=usd_per_h > 0)
    result: Floats = np.where(rate > 0, worth, 0.0)
    return result


def best_instance(worth: Floats, allowed: NDArray[np.bool_]) -> int | None:
    """The allowed instance with the most work for the money, the first among equals; None where none does any."""
    chosen = np.where(allowed, worth, 0.0)
    best = int(np.argmax(chosen)) if len(chosen) else 0
    return best if len(chosen) and chosen[best] > 0 else None


class Move(NamedTuple):
    """What a change of instance costs: time without progress, billed at the new price, and a transfer."""

    time_s: float
    usd: float

    def pays(self, work_s: float, worth_now: float, worth_then: float, usd_per_h_then: float) -> bool:
        """Whether the rest of the work, `work_s`, saves more there than the move costs."""
        if worth_then <= worth_now:
            return False
        left_usd = np.inf if worth_now == 0 else work_s / worth_now
        then_usd = 0.0 if worth_then == np.inf else work_s / worth_then
        return bool(left_usd - then_usd > self.usd + self.time_s / HOUR_S * usd_per_h_then)


class Reclaims:
    """Reclaims that a job has suffered: after too many in a day it stays off the spot market until the next one."""

    def __init__(self, most: int, day_s: float = 86_400.0) -> None:
        self._most, self._day_s = most, day_s
        self._count: dict[tuple[int, int], int] = {}

    def happened(self, job: int, now_s: float) -> None:
        day = job, int(now_s // self._day_s)
        self._count[day] = self._count.get(day, 0) + 1

    def may_use_spot(self, job: int, now_s: float) -> bool:
        return self._count.get((job, int(now_s // self._day_s)), 0) < self._most
