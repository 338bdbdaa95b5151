"""The end of all events: either everything has ended, or what still waits could not have run."""

from __future__ import annotations

import numpy as np

from simulation.engine.errors import StuckError
from simulation.engine.kernels.place import CONSOLIDATE_FIRST, place
from simulation.engine.plan import make_plan
from simulation.engine.state import RUNNING_COUNT, WAITING, State
from simulation.world.build import World


def stranded(world: World, ledger: State) -> int:
    """Jobs that wait at the end though nothing runs: for GPUs which services keep, or behind a job that does.

    A walk that stops at the head waits rightly behind a gang that finds no room beside the services.
    Raises StuckError where every waiting job would fit, naming the first: then the policy has forgotten them; and
    where a job holds GPUs without ever getting on.
    """
    if ledger.tally[RUNNING_COUNT]:
        held = int(ledger.running[: ledger.tally[RUNNING_COUNT]].min())
        raise StuckError(f"job {world.jobs.id[held]} holds {ledger.held[held]} GPUs on which it makes no progress")
    waiting = np.flatnonzero(ledger.phase == WAITING)
    if not len(waiting):
        return 0
    if not all(_fits(world, ledger, job) for job in waiting.tolist()):
        return len(waiting)
    first = int(waiting[0])
    raise StuckError(
        f"job {world.jobs.id[first]} waits for {ledger.gang[first]} GPUs and would fit, nothing runs, "
        "and the policy asked for no later decision"
    )


def _fits(world: World, ledger: State, job: int) -> bool:
    scratch = make_plan(world.nodes.gpus)
    return bool(place(ledger, ledger.free.copy(), scratch, job, int(ledger.gang[job]), CONSOLIDATE_FIRST))
