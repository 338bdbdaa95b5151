"""The engine's loop with Gavel's rounds compiled in: they run by themselves until promises are to be renewed."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.advance import advance
from simulation.engine.kernels.apply import apply
from simulation.engine.kernels.compiling import kernel
from simulation.engine.loop import Loop
from simulation.engine.plan import Plan
from simulation.engine.state import LOG_ROOM, Log, State
from simulation.fidelity.profiles.gavel_policy import DeficitRounds
from simulation.fidelity.profiles.gavel_rounds import (
    DUE,
    END_S,
    TURN,
    Rounds,
    end_round,
    must_renew,
    open_round,
    wake_s,
)
from simulation.fidelity.profiles.gavel_steps import move, pace
from simulation.mechanisms.programs.rounds import Promises

DECISIONS = 32  # in one call, for one turn of the general loop


class RoundLoop(Loop):
    """One run of DeficitRounds."""

    policy: DeficitRounds

    def _decide_many(self, turns: int) -> bool:
        self.reserve_log()
        if self.policy.rounds.tally[DUE]:
            self.policy.prepare(self.view)
        t, made, starts = run_rounds(
            self.ledger, self.log, self.policy.rounds, self.policy.promises, self.policy.plan,
            self.view.now_s, DECISIONS * turns,
        )  # fmt: skip
        self.counts["decisions"] += made
        self.counts["starts"] += starts
        if t < np.inf:
            self.view.now_s = t
        return bool(t < np.inf)


@kernel
def run_rounds(s: State, log: Log, r: Rounds, b: Promises, p: Plan, t: float, most: int) -> tuple[float, int, int]:
    """From instant `t` on: up to `most` decisions, or a round that needs something first, or the end of all events.

    Returns the instant reached (inf: the end), decisions and starts.
    """
    made = starts = 0
    while made < most and t < np.inf and log.tally[0] + s.tally[LOG_ROOM] <= len(log.owner):
        if r.tally[DUE]:
            if must_renew(r, b, t) or r.tally[TURN] == len(r.order):
                break
            if open_round(s, r, b, t):
                p.tally[:] = 0
                move(s, r, p)
                _, begun = apply(s, log, p, t)
                pace(s, r)
                starts += begun
        else:
            t, _, _ = advance(s, log, wake_s(r))
            made += 1
            if r.clock[END_S] <= t < np.inf:
                end_round(s, r, b, t)
    return t, made, starts
