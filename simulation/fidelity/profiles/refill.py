"""Free migration: at each decision the cluster is emptied, and filled again node by node in the order of a list.

Unlike a recipe with immediate preemption nobody keeps GPUs because they hold them.
"""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner
from simulation.engine.kernels.place import place
from simulation.engine.kernels.rearrange import set_free
from simulation.engine.plan import PIECES, STOPS, Plan
from simulation.engine.state import RUNNING, RUNNING_COUNT, State
from simulation.records import Ints


@inner
def stands(s: State, p: Plan, job: int, first: int) -> bool:
    """Whether the pieces of the plan from `first` on are those that the job holds."""
    entry, held = s.first_entry[job], 0
    while entry >= 0:
        held += 1
        same = False
        for i in range(first, p.tally[PIECES]):
            same = same or (p.node[i] == s.entry_node[entry] and p.gpus[i] == s.entry_gpus[entry])
        if not same:
            return False
        entry = s.entry_next[entry]
    return bool(held == p.tally[PIECES] - first)


@allocating
def refill(s: State, order: Ints, n: int, rule: int, p: Plan) -> None:
    """Write into `p` what differs between who stands where and a cluster filled in the order of `order[:n]`."""
    free = s.free.copy()
    for i in range(s.tally[RUNNING_COUNT]):
        set_free(s, free, s.running[i], 1)
    left = free.sum()
    failed = np.zeros(left + 1, np.bool_)  # by gang: what has not fitted will not fit later, for GPUs only grow fewer
    for i in range(n):
        job, first = order[i], p.tally[PIECES]
        gang, runs = s.gang[job], s.phase[job] == RUNNING
        placed = gang <= left and not failed[gang] and place(s, free, p, job, gang, rule)
        if gang <= left:
            failed[gang] = not placed
        if placed:
            left -= gang
            if runs and stands(s, p, job, first):
                p.tally[PIECES] = first
                continue
        if runs:
            p.stop[p.tally[STOPS]] = job
            p.tally[STOPS] += 1
