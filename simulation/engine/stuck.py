"""The end of all events: either everything has ended, or what still waits could not have run."""

from __future__ import annotations

import numpy as np

from simulation.engine.errors import StuckError
from simulation.engine.kernels.place import CONSOLIDATE_FIRST, place
from simulation.engine.plan import make_plan
from simulation.engine.state import RUNNING_COUNT, WAITING, State
from simulation.world.build import World


def stranded(world: World, ledger: State) -> int:
    """Jobs that wait for GPUs which services keep: nothing runs, and none of them fits.

    Raises StuckError where one would fit, naming it: then the policy has forgotten it.
    """
    waiting = np.flatnonzero(ledger.phase == WAITING)
    if ledger.tally[RUNNING_COUNT] or not len(waiting):
        return 0
    scratch = make_plan(world.nodes.gpus)
    for job in waiting.tolist():
        if place(ledger, ledger.free.copy(), scratch, job, int(ledger.gang[job]), CONSOLIDATE_FIRST):
            raise StuckError(
                f"job {world.jobs.id[job]} waits for {ledger.gang[job]} GPUs and would fit, nothing runs, "
                "and the policy asked for no later decision"
            )
    return len(waiting)
