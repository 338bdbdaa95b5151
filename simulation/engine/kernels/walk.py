"""Working copies of one decision, and what every walk down an order asks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner
from simulation.engine.state import State
from simulation.records import Floats, Ints

# Opcodes of walks (mechanisms.walk documents them)
STOP_AT_HEAD, STOP_AT_TENANT_HEAD, FIT_FIRST = range(3)


class WorkingCopy(ByAddress):
    """Made once a run; each decision begins by filling what it uses."""

    free: Ints  # (nodes,)
    reach: Ints  # (nodes,) free, or held by preemptible jobs whose turn has not come; beside a reservation: left by it
    used: Floats  # (tenants,) GPUs of jobs that will run, as far as the walk has come
    blocked: NDArray[np.bool_]  # (tenants,) a job of the tenant has not fitted
    failed: Ints  # (classes, GPUs + 1) by gang size: such a gang has not fitted, so its like will not either
    released: Ints  # (order,) 1: set free for another; the job may still keep its GPUs
    total: Ints  # FREE, BEHIND, TAIL, PENDING


# free GPUs; preemptible GPUs not reached and not set free; where the set free begin; set free, turn still to come
FREE, BEHIND, TAIL, PENDING = range(4)


def make_working_copy(s: State, n: int, tenants: int) -> WorkingCopy:
    """Room for an order of `n` jobs."""
    free = np.zeros_like(s.free)
    return WorkingCopy(
        free=free, reach=free.copy(), used=np.zeros(tenants), blocked=np.zeros(tenants, np.bool_),
        failed=np.zeros((len(s.class_domains), int(s.size.sum()) + 1), np.int64), released=np.zeros(n, np.int64),
        total=np.zeros(4, np.int64),
    )  # fmt: skip


@inner
def copy(source: Ints, target: Ints) -> None:
    for i in range(len(source)):
        target[i] = source[i]


@inner
def begin_fill(s: State, w: WorkingCopy) -> None:
    """Before the first job of a walk that takes nothing from anyone."""
    copy(s.free, w.free)
    for tenant in range(len(w.used)):
        w.used[tenant] = s.held_of[tenant]
        w.blocked[tenant] = False
    forget_failures(w)


@inner
def forget_failures(w: WorkingCopy) -> None:
    for klass in range(w.failed.shape[0]):
        for gang in range(w.failed.shape[1]):
            w.failed[klass, gang] = 0


@inner
def over_quota(used: float, gang: int, limit: float) -> bool:
    """A job above its tenant's whole quota may run when the tenant holds nothing else: nobody is shut out for ever."""
    return used > 0 and used + gang > limit
