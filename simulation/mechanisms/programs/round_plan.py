"""A plan for many rounds at once: which gangs run in which round, by an integer program.

It maximises the mean logarithm of progress (Nash welfare) less a weight times the longest time that is left after the
plan, within the GPUs of every round. How many rounds a job has is all that counts, so that is solved for first, on all
GPU-rounds together; where no rounds can be found for these numbers, the whole matrix is solved for.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array

from simulation.records import Floats, Ints

KNOTS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of the piecewise linear logarithm
LEAST_PROGRESS = 1e-6  # what none counts as


class Asks(NamedTuple):
    """Jobs; columns of one length."""

    gang: Ints
    done: Floats  # progress so far, 0 to 1
    gain: Floats  # progress in one round
    left_s: Floats  # expected run time left
    least: Ints  # rounds that it must have
    weight: Floats  # of its logarithm of progress


class Window(NamedTuple):
    """Rounds to plan for, and what a second of the longest time left costs."""

    gpus: int
    rounds: int
    round_s: float
    makespan: float


class Effort(NamedTuple):
    """Bounds of the search: relative gap to the best plan, and nodes of the search tree."""

    gap: float
    nodes: int


Plan = np.ndarray
"""(jobs, rounds) whether a job runs in a round."""


def utility(progress: Floats) -> Floats:
    """The piecewise linear logarithm."""
    values: Floats = np.interp(progress, KNOTS, np.log(np.maximum(KNOTS, LEAST_PROGRESS)))
    return values


def objective(asks: Asks, window: Window, rounds: Ints) -> float:
    """Of a plan that gives each job so many rounds."""
    progress = utility(np.minimum(1.0, asks.done + asks.gain * rounds))
    longest_s = float(np.maximum(0.0, asks.left_s - window.round_s * rounds).max(initial=0.0))
    return float(asks.weight @ progress) / (len(asks.gang) * window.rounds) - window.makespan * longest_s


def plan_rounds(asks: Asks, window: Window, effort: Effort) -> Plan | None:
    """The best plan; None where some job cannot have its least number of rounds."""
    if (asks.least > window.rounds).any() or (asks.gang * asks.least).sum() > window.gpus * window.rounds:
        return None
    found = _solved(asks, window, effort, False)
    if found is None:
        return None
    plan = laid_out(asks.gang, found, window)
    if plan is None:
        found = _solved(asks, window, effort, True)
        plan = None if found is None else found.reshape(len(asks.gang), window.rounds) > 0
    return None if plan is None else in_order(plan, asks.weight)


def laid_out(gang: Ints, rounds: Ints, window: Window) -> Plan | None:
    """Rounds for these numbers of rounds, the widest and longest jobs first, where most is free; None: not found."""
    plan, free = np.zeros((len(gang), window.rounds), np.bool_), np.full(window.rounds, window.gpus)
    for job in np.lexsort((np.arange(len(gang)), -rounds, -gang)).tolist():
        chosen = np.argsort(-free, kind="stable")[: rounds[job]]
        if (free[chosen] < gang[job]).any():
            return None
        plan[job, chosen] = True
        free[chosen] -= gang[job]
    return plan


def in_order(plan: Plan, weight: Floats) -> Plan:
    """The same rounds in the order with the least weighted mean round of each job."""
    share = weight / np.maximum(1, plan.sum(axis=1))
    ordered: Plan = plan[:, np.argsort(-(share @ plan), kind="stable")]
    return ordered


def _solved(asks: Asks, window: Window, effort: Effort, matrix: bool) -> Ints | None:
    """Rounds of each job, or with `matrix` of each (job, round) 0 or 1, flat; None where no plan was found.

    Variables: these, then the utility of each job, then the longest time left.
    """
    jobs, width = len(asks.gang), window.rounds if matrix else 1
    cells = jobs * width
    job = np.repeat(np.arange(jobs), width)
    cost = np.concatenate([np.zeros(cells), -asks.weight / (jobs * window.rounds), [window.makespan]])
    most = np.full(cells, 1.0 if matrix else window.rounds)
    bounds = Bounds(
        np.concatenate([np.zeros(cells), np.full(jobs + 1, -np.inf)[:-1], [0.0]]),
        np.concatenate([most, np.zeros(jobs), [np.inf]]),
    )
    rows = [_progress(asks, job), _time_left(asks, window, job), _least(asks, job), _capacity(asks, window, width)]
    found = milp(
        cost,
        integrality=np.concatenate([np.ones(cells), np.zeros(jobs + 1)]),
        bounds=bounds,
        constraints=rows,
        options={"mip_rel_gap": effort.gap, "node_limit": effort.nodes, "presolve": False},
    )
    return None if found.x is None else np.round(found.x[:cells]).astype(np.int64)


def _progress(asks: Asks, job: Ints) -> LinearConstraint:
    """Utility lies below every piece of the logarithm."""
    knots, values = np.array(KNOTS), utility(np.array(KNOTS))
    slope = np.diff(values) / np.diff(knots)
    jobs, pieces, cells = len(asks.gang), len(slope), len(job)
    piece = np.arange(pieces)[:, None]
    row_of_cell = piece * jobs + job
    row_of_job = piece * jobs + np.arange(jobs)
    rows = np.concatenate([row_of_cell.ravel(), row_of_job.ravel()])
    columns = np.concatenate([np.tile(np.arange(cells), pieces), np.tile(cells + np.arange(jobs), pieces)])
    terms = np.concatenate([-(slope[:, None] * asks.gain[job]).ravel(), np.ones(pieces * jobs)])
    limit = values[:-1, None] + slope[:, None] * (asks.done - knots[:-1, None])
    return LinearConstraint(_matrix(terms, rows, columns, pieces * jobs, cells + jobs + 1), -np.inf, limit.ravel())


def _time_left(asks: Asks, window: Window, job: Ints) -> LinearConstraint:
    jobs, cells = len(asks.gang), len(job)
    rows = np.concatenate([job, np.arange(jobs)])
    columns = np.concatenate([np.arange(cells), np.full(jobs, cells + jobs)])
    terms = np.concatenate([np.full(cells, window.round_s), np.ones(jobs)])
    return LinearConstraint(_matrix(terms, rows, columns, jobs, cells + jobs + 1), asks.left_s, np.inf)


def _least(asks: Asks, job: Ints) -> LinearConstraint:
    jobs, cells = len(asks.gang), len(job)
    return LinearConstraint(_matrix(np.ones(cells), job, np.arange(cells), jobs, cells + jobs + 1), asks.least, np.inf)


def _capacity(asks: Asks, window: Window, width: int) -> LinearConstraint:
    """GPUs of each round, or of all together."""
    jobs = len(asks.gang)
    cells = jobs * width
    terms = np.repeat(asks.gang, width).astype(np.float64)
    found = _matrix(terms, np.tile(np.arange(width), jobs), np.arange(cells), width, cells + jobs + 1)
    return LinearConstraint(found, -np.inf, window.gpus * (window.rounds // width))


def _matrix(terms: Floats, rows: Ints, columns: Ints, height: int, width: int) -> csr_array:
    return csr_array(coo_array((terms, (rows, columns)), shape=(height, width)))


def rounds_needed(left_s: float, slack_s: float, part: float, round_s: float) -> int:
    """So that what is left after them fits, on `part` of its GPUs, into `slack_s` after the window."""
    return max(0, math.ceil((left_s - part * slack_s) / round_s - 1e-9))
