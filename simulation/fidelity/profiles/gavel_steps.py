"""Rounds of Gavel in the ledger: who gives GPUs up and who takes them, at which pace, and when each ends."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.place import take_any
from simulation.engine.kernels.rearrange import set_free
from simulation.engine.plan import STOPS, Plan
from simulation.engine.state import DONE_COUNT, REJECTED, RUNNING_COUNT, WAITING_COUNT, State
from simulation.fidelity.profiles.gavel_rounds import DROPPED, LIVE, NEW, SERVED, Rounds
from simulation.fidelity.profiles.pace import end_one_at


@kernel
def move(s: State, r: Rounds, p: Plan) -> None:
    """Write into `p`, which is empty, how jobs go to the types of the round; who stays keeps its GPUs."""
    for node in range(len(s.free)):
        r.free[node] = s.free[node]
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        if r.kind[job] != r.held[job]:
            r.held[job] = -1
            set_free(s, r.free, job, 1)
            p.stop[p.tally[STOPS]] = job
            p.tally[STOPS] += 1
    for i in range(r.tally[LIVE]):
        job = r.live[i]
        if r.kind[job] != r.held[job]:
            r.held[job] = r.kind[job]
            take_any(s, r.free, p, job, r.kind[job], s.gang[job])


@kernel
def pace(s: State, r: Rounds) -> None:
    """Those of a new round have their GPUs, and run at its pace to their last step in it; others are given up."""
    if not r.tally[NEW]:
        return
    for i in range(r.tally[SERVED]):
        job = r.job[i]
        s.remaining_s[job], s.rate[job] = r.left[job], r.rate[job, r.kind[job]]
        ends = r.steps[job] == r.left[job] and not r.failed[job]
        end_one_at(s, job, r.finish_s[job] if ends else np.inf)
    while r.tally[DROPPED] > 0:
        r.tally[DROPPED] -= 1
        give_up(s, r.dropped[r.tally[DROPPED]])
    r.tally[NEW] = 0


@inner
def give_up(s: State, job: int) -> None:
    """A waiting job will not run again."""
    s.phase[job] = REJECTED
    s.tally[DONE_COUNT] += 1
    s.tally[WAITING_COUNT] -= 1
    s.waiting_of[s.tenant[job]] -= 1
