"""Many decisions in one kernel call, between the instants of services: the loop of a recipe with a compiled form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulation.engine.kernels.fused import Desk, Rules, run
from simulation.engine.kernels.lanes import make_lanes
from simulation.engine.kernels.walk import make_working_copy
from simulation.engine.plan import make_plan
from simulation.engine.policy import Compiled
from simulation.engine.state import State

if TYPE_CHECKING:
    from simulation.engine.loop import Loop

CHEAP = 8  # decisions of the compiled loop for one of the other


def make_desk(ledger: State, form: Compiled) -> Desk:
    """Room for the decisions of one run."""
    running = len(ledger.running)
    return Desk(
        lanes=make_lanes(ledger, form.walk, form.limit, form.order, form.preempts),
        plan=make_plan(int(ledger.size.sum())),
        walk=make_working_copy(ledger, running, len(form.limit)),
        first=np.zeros(running), second=np.zeros(running),
        again=np.zeros(2 * running, np.int64), again_count=np.zeros(1, np.int64), wake_s=np.full(1, np.inf),
    )  # fmt: skip


class CompiledStride:
    """A stride of the loop, of `CHEAP` decisions a turn or of just one: called until it returns False."""

    def __init__(self, loop: Loop, form: Compiled, most_stalls: int) -> None:
        limited = bool(np.isfinite(form.limit).any())
        self._loop = loop
        self._desk = make_desk(loop.ledger, form)
        self._rules = Rules(form.order, form.preempts, form.rule, form.limit, limited, most_stalls)
        self._decide_s = -1.0  # the instant at which a decision is due, or negative

    @property
    def due_s(self) -> float:
        """When the next decision is due by itself."""
        return self._decide_s if self._decide_s >= 0.0 else float(self._desk.wake_s[0])

    def __call__(self, turns: int) -> bool:
        loop, desk = self._loop, self._desk
        most = 1 if turns == 1 else CHEAP * turns
        self._return(loop.preempted)
        loop.preempted = []
        loop.reserve_log()
        until_s = loop.limit_s()
        t, made, started = run(loop.ledger, loop.log, desk, self._rules, self._decide_s, until_s, most)
        loop.counts["decisions"] += made
        loop.counts["starts"] += started
        loop.refuse_thrashing(desk.again[: desk.again_count[0]])
        self._decide_s = -1.0
        if t >= loop.horizon_s or t == np.inf or (t >= until_s and loop.idle_too_long(0)):
            return False
        if t >= 0.0:
            loop.arrive_at(t)
        if t >= until_s:
            self._decide_s = t
        return True

    def _return(self, jobs: list[int]) -> None:
        """Jobs that services have preempted wait again from the next decision on."""
        count = int(self._desk.again_count[0])
        self._desk.again[count : count + len(jobs)] = jobs
        self._desk.again_count[0] = count + len(jobs)
