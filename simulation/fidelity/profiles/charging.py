"""A quirk: the cost of a restart is charged at every event to every job that runs, whether or not it was restarted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit

from simulation.engine.kernels.segments import drop_stale
from simulation.engine.loop import Loop
from simulation.engine.state import RUNNING_COUNT, State
from simulation.records import Floats


class ChargedAtEveryEvent(Loop):
    """A loop in which running jobs have done nothing in the first seconds after each event, unless they end before
    the next one.
    """

    def __init__(self, *arguments: Any, overhead_s: Mapping[str, float]) -> None:
        """overhead_s: by id of job."""
        super().__init__(*arguments)
        self._overhead_s = np.array([overhead_s[name] for name in self.world.jobs.id], dtype=np.float64)
        self._last_s = 0.0

    def arrive_at(self, now_s: float) -> None:
        super().arrive_at(now_s)
        charge(self.ledger, self._overhead_s, now_s - self._last_s)
        self._last_s = now_s


@njit(cache=True)
def charge(s: State, overhead_s: Floats, since_s: float) -> None:
    """Take from every running job the work of the first `overhead_s` of the last `since_s` seconds."""
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        idle_s = min(since_s, overhead_s[job])
        s.work_from_s[job] += idle_s
        s.finish_s[job] += idle_s
    drop_stale(s)
