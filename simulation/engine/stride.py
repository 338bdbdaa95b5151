"""Many decisions in one kernel call, between the instants of services: the loop of a recipe with a compiled form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulation.engine.kernels.fill import kinds
from simulation.engine.kernels.fused import run_fill
from simulation.engine.kernels.queue import make_queue
from simulation.engine.plan import make_plan
from simulation.engine.policy import CompiledFill

if TYPE_CHECKING:
    from simulation.engine.loop import Loop

DECISIONS = 4096  # in one call: between two looks at progress and cancellation


class CompiledStride:
    """A stride of the loop: called until it returns False."""

    def __init__(self, loop: Loop, form: CompiledFill) -> None:
        jobs, gpus = len(loop.world.jobs), loop.world.nodes.gpus
        self._loop, self._form = loop, form
        self._queue, self._plan, self._failed = make_queue(jobs), make_plan(gpus), kinds(loop.ledger)
        self._arrived = np.zeros(jobs + 1, np.int64)
        self._finished = np.zeros(len(loop.ledger.running), np.int64)
        self._decide_s = -1.0  # the instant at which a decision is due, or negative

    def __call__(self) -> bool:
        loop, form = self._loop, self._form
        returned = np.array(loop.preempted, np.int64)
        loop.preempted = []
        loop.reserve_log()
        until_s = loop.limit_s()
        t, made, started = run_fill(
            loop.ledger, loop.log, self._queue, form.keys, form.walk, form.rule, form.limit, self._failed, self._plan,
            self._arrived, self._finished, returned, self._decide_s, until_s, DECISIONS,
        )  # fmt: skip
        loop.counts["decisions"] += made
        loop.counts["starts"] += started
        self._decide_s = -1.0
        if t >= loop.horizon_s or t == np.inf:
            return False
        loop.arrive_at(t)
        if t >= until_s:
            self._decide_s = t
        return True
