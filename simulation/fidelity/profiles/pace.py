"""Jobs end when a peer says so, whatever the ledger foresees."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.heap import push
from simulation.engine.kernels.segments import drop_stale
from simulation.engine.state import DUE_COUNT, State
from simulation.records import Floats, Ints


@kernel
def end_at(s: State, jobs: Ints, finish_s: Floats) -> None:
    """The ends of running jobs; inf: not yet known."""
    for i in range(len(jobs)):
        end_one_at(s, jobs[i], finish_s[i])


@inner
def end_one_at(s: State, job: int, finish_s: float) -> None:
    """The end of a running job."""
    s.finish_s[job] = finish_s
    if finish_s < np.inf:
        if s.tally[DUE_COUNT] == len(s.due_s):
            drop_stale(s)
        push(s.due_s, s.due_job, s.tally[DUE_COUNT], finish_s, job)
        s.tally[DUE_COUNT] += 1
