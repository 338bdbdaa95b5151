"""The engine's loop with list policies compiled in: the very kernels of the general loop, many decisions a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulation.engine.kernels.advance import advance
from simulation.engine.kernels.apply import apply
from simulation.engine.kernels.compiling import allocating
from simulation.engine.kernels.rearrange import rearrange
from simulation.engine.kernels.walk import FIT_FIRST, WorkingCopy
from simulation.engine.loop import Loop
from simulation.engine.plan import Plan
from simulation.engine.state import Log, State
from simulation.fidelity.profiles.list_policy import ListPolicy
from simulation.fidelity.profiles.lists import QUEUES, Lists
from simulation.fidelity.profiles.queues import next_look_s
from simulation.fidelity.profiles.quirks import Quirks, at_event, before_event, make_quirks
from simulation.fidelity.profiles.refill import refill
from simulation.fidelity.profiles.relist import relist
from simulation.records import Floats

DECISIONS = 32  # in one call, for one turn of the general loop


class ListLoop(Loop):
    """One run of a ListPolicy, with the quirks of its peer. Without quirks it equals the general loop bit by bit."""

    policy: ListPolicy

    def __init__(
        self, *arguments: Any, stale_completions: bool = False, overhead_s: Mapping[str, float] | None = None
    ) -> None:
        """Arguments of Loop; overhead_s: by id of job, charged at every event."""
        super().__init__(*arguments)
        by_job = np.array([overhead_s[name] for name in self.world.jobs.id] if overhead_s else [], dtype=np.float64)
        self._quirks = make_quirks(stale_completions, by_job, len(self.ledger.running))

    def _decide_many(self, turns: int) -> bool:
        self.reserve_log()
        policy = self.policy
        t, self._wake_s, made, starts = run_lists(
            self.ledger, self.log, policy.lists, self._quirks, policy.plan, policy.moving, policy.rule, policy.limit,
            policy.room, self._wake_s, self.horizon_s, DECISIONS * turns,
        )  # fmt: skip
        self.counts["decisions"] += made
        self.counts["starts"] += starts
        self.view.now_s = t
        return bool(t < self.horizon_s)


@allocating
def run_lists(
    s: State, log: Log, f: Lists, q: Quirks, p: Plan, moving: bool, rule: int, limit: Floats, room: WorkingCopy,
    wake_s: float, horizon_s: float, most: int,
) -> tuple[float, float, int, int]:  # fmt: skip
    """Up to `most` decisions, or to the horizon (inf: the end of all events).

    Returns the instant reached, the next instant at which the lists change by themselves, decisions and starts.
    """
    made = starts = 0
    t = 0.0
    while made < most and log.tally[0] + len(s.entry_node) <= len(log.owner):
        before_event(s, q)
        t, came, _ = advance(s, log, min(horizon_s, wake_s))
        if t >= horizon_s:
            break
        at_event(s, log, q, t)
        relist(s, f, t, s.arrived, came)
        p.tally[:] = 0
        if moving:
            refill(s, f.job, f.tally[0], rule, p)
        else:
            rearrange(s, f.job, f.tally[0], FIT_FIRST, rule, limit, room, p)
        _, begun = apply(s, log, p, t)
        starts += begun
        made += 1
        if f.rank == QUEUES:
            wake_s = max(next_look_s(s, f, t), np.nextafter(t, np.inf))
    return t, wake_s, made, starts
