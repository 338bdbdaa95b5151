"""Many decisions in one call, for recipes whose every stage has a compiled form: keys that never change, no preemption.

It calls the very functions that the general loop calls, in the same order, so both give the same bits.
"""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.advance import advance
from simulation.engine.kernels.apply import apply
from simulation.engine.kernels.compiling import kernel
from simulation.engine.kernels.fill import fill
from simulation.engine.kernels.queue import Queue, compact, insert, remove
from simulation.engine.plan import PIECES, Plan
from simulation.engine.state import FREE_GPUS, Log, State
from simulation.records import Floats, Ints


@kernel
def run_fill(
    s: State, log: Log, q: Queue, keys: Floats, walk: int, rule: int, limit: Floats, failed: Ints, p: Plan,
    arrived: Ints, finished: Ints, returned: Ints, now_s: float, until_s: float, most: int,
) -> tuple[float, int, int]:  # fmt: skip
    """Decide now (unless `now_s` is negative), then at every instant before `until_s`; at most `most` decisions.

    `returned` jobs wait again since the last call. Stops early when the log has no room. Returns the last instant
    reached, the decisions made, and the jobs started. At `until_s` itself (inf: the end of all events) what happens
    has happened, but the decision is left to the next call.
    """
    made = started = stale = 0
    t = now_s
    compact(s, q)
    remove(s, q, returned)
    for i in range(len(returned)):
        insert(q, keys[returned[i]], 0.0, returned[i])
    while made < most and log.tally[0] + len(s.entry_node) <= len(log.owner):
        if made > 0 or now_s < 0.0:
            t, came, _ = advance(s, log, until_s, arrived, finished)
            for i in range(came):
                insert(q, keys[arrived[i]], 0.0, arrived[i])
            if t >= until_s or t == np.inf:
                break
        made += 1
        if s.tally[FREE_GPUS] > 0 and q.tally[0] > 0:
            p.tally[:] = 0
            fill(s, q.job, q.tally[0], walk, rule, limit, failed, p)
            if p.tally[PIECES] > 0:
                _, begun = apply(s, log, p, t, finished)  # nothing is stopped, so nothing is written there
                started += begun
                stale += begun
                if 4 * stale > q.tally[0]:
                    compact(s, q)
                    stale = 0
    return t, made, started
