"""Plans in whole leases: which guaranteed job runs in which lease, so that all meet their deadlines.

A job needs `needs` leases of `gpus` GPUs before its lease number `due` (0 is the next one). A greedy of latest fits
answers most questions; an integer program, bounded by nodes of its search and not by time, answers the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from simulation.records import Ints


class Promises(NamedTuple):
    """Guaranteed jobs; columns of one length."""

    gpus: Ints
    needs: Ints  # leases still to run
    due: Ints  # leases left until the deadline


def planning_gpus(gpus: int, node_gpus: int) -> int:
    """Rounded up to a size that tiles nodes: a power of two inside a node, else whole nodes."""
    if gpus > node_gpus:
        return -(-gpus // node_gpus) * node_gpus
    return min(node_gpus, 1 << (gpus - 1).bit_length())


def feasible_plan(promises: Promises, capacity: int, nodes: int) -> np.ndarray | None:
    """(jobs, leases) a plan that keeps every promise, or None where none was found."""
    if (
        (promises.needs > promises.due).any()
        or (promises.gpus > capacity).any()
        or _pressed(promises, capacity) > capacity
    ):
        return None
    plan = latest_fit(promises, capacity)
    return plan if plan is not None else _solved(promises, capacity, 0, nodes)


def latest_fit(promises: Promises, capacity: int) -> np.ndarray | None:
    """Each job in turn takes the latest leases with room; None where one does not get enough.

    Turns go by deadline, then by slack, then by GPUs.
    """
    plan = np.zeros((len(promises.gpus), _leases(promises)), np.bool_)
    free = np.full(plan.shape[1], capacity)
    for job in np.lexsort((promises.gpus, promises.due - promises.needs, promises.due)).tolist():
        gpus, needs = promises.gpus[job], promises.needs[job]
        chosen = np.flatnonzero(free[: promises.due[job]] >= gpus)[::-1][:needs]
        if len(chosen) < needs:
            return None
        plan[job, chosen] = True
        free[chosen] -= gpus
    return plan


def plan_leases(promises: Promises, capacity: int, use_much: bool, nodes: int) -> np.ndarray | None:
    """(jobs, leases) a plan that uses as many GPUs in the next lease as the promises allow, or as few as they need.

    None where no plan keeps every promise.
    """
    plan = feasible_plan(promises, capacity, nodes)
    if plan is None or not plan.size:
        return plan
    if int(promises.gpus[plan[:, 0]].sum()) == _bound(promises, capacity, use_much):
        return plan
    better = _solved(promises, capacity, 1 if use_much else -1, nodes)
    return plan if better is None else better


def earliest_deadline(promises: Promises, job: int, latest: int, capacity: int, nodes: int) -> int | None:
    """The smallest `due` of `job`, up to `latest`, with which all promises can be kept; None: not even `latest`."""
    low, high = int(max(promises.needs[job], promises.due[job])), latest
    if low > high or feasible_plan(_with_due(promises, job, high), capacity, nodes) is None:
        return None
    while low < high:
        middle = (low + high) // 2
        if feasible_plan(_with_due(promises, job, middle), capacity, nodes) is None:
            low = middle + 1
        else:
            high = middle
    return high


def _with_due(promises: Promises, job: int, due: int) -> Promises:
    moved = promises.due.copy()
    moved[job] = due
    return promises._replace(due=moved)


def _leases(promises: Promises) -> int:
    return int(promises.due.max(initial=0))


def _bound(promises: Promises, capacity: int, use_much: bool) -> int:
    """No plan uses more GPUs in the next lease: all who ask. Or fewer: no lease to spare, and work that is due."""
    if use_much:
        return min(capacity, int(promises.gpus[promises.needs > 0].sum()))
    return max(_pressed(promises, capacity), int(promises.gpus[promises.needs == promises.due].sum()))


def _pressed(promises: Promises, capacity: int) -> int:
    """GPUs that the next lease cannot do without: what is due by some lease, less all of the leases between."""
    work = np.cumsum(np.bincount(promises.due, weights=promises.gpus * promises.needs))
    return int(np.max(work[1:] - capacity * np.arange(len(work) - 1), initial=0))


def _solved(promises: Promises, capacity: int, weight: int, nodes: int) -> np.ndarray | None:
    """The integer program. weight 1: as many GPUs as possible in the next lease, -1: as few, 0: any plan.

    Variables are (job, lease) pairs before the job's deadline.
    """
    leases = _leases(promises)
    job, lease = np.nonzero(np.arange(leases) < promises.due[:, None])
    if not len(job):
        return np.zeros((len(promises.gpus), leases), np.bool_)
    pairs = np.arange(len(job))
    needed = csr_array((np.ones(len(job)), (job, pairs)), shape=(len(promises.gpus), len(job)))
    used = csr_array((promises.gpus[job].astype(np.float64), (lease, pairs)), shape=(leases, len(job)))
    found = milp(
        -weight * np.where(lease == 0, promises.gpus[job], 0.0),
        integrality=np.ones(len(job), np.int64),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(needed, promises.needs, promises.needs),
            LinearConstraint(used, -np.inf, capacity),
        ],
        options={"node_limit": nodes, "presolve": False},  # presolved, it prints to stdout what it has to repair
    )
    if found.x is None:
        return None
    plan = np.zeros((len(promises.gpus), leases), np.bool_)
    plan[job, lease] = found.x > 0.5
    return plan
