"""Move the world to the next instant at which something happens."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.segments import complete, next_due_s, to_waiting
from simulation.engine.state import NEXT_ARRIVAL, REJECTED, Log, State


@kernel
def next_arrival_s(s: State) -> float:
    """Submit time of the next job that is not rejected, inf where there is none."""
    while s.tally[NEXT_ARRIVAL] < len(s.phase) and s.phase[s.tally[NEXT_ARRIVAL]] == REJECTED:
        s.tally[NEXT_ARRIVAL] += 1
    return s.submit_s[s.tally[NEXT_ARRIVAL]] if s.tally[NEXT_ARRIVAL] < len(s.phase) else np.inf


@kernel
def advance(s: State, log: Log, limit_s: float) -> tuple[float, int, int]:
    """Go to the first of: completion, arrival, `limit_s`; let everything of that instant happen, completions first.

    Writes the jobs concerned into `arrived` and `ended` of the ledger; returns the instant and how many of each.
    """
    t = min(next_due_s(s), min(next_arrival_s(s), limit_s))
    ended = 0
    while t < np.inf and next_due_s(s) == t:
        s.ended[ended] = s.due_job[0]
        complete(s, log, s.due_job[0], t)
        ended += 1
    came = 0
    while t < np.inf and next_arrival_s(s) == t:
        job = s.tally[NEXT_ARRIVAL]
        to_waiting(s, job)
        s.arrived[came] = job
        came += 1
        s.tally[NEXT_ARRIVAL] += 1
    return t, came, ended
