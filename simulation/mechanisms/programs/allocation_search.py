"""Search for the matrix of GPUs (jobs x nodes) with the best power mean of speed-ups.

A local search from three starts: what is held now, and twice the smallest gang for everyone in turn. A step places one
job anew, alone or at the cost of another one; it is taken where the sum of utilities rises. Nothing is drawn at random.
"""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import allocating
from simulation.mechanisms.programs.allocation_moves import (
    LEAST_RISE,
    Matrix,
    Problem,
    seed_smallest,
    sweep,
    worth,
)
from simulation.records import Floats, Ints

TINY_SPEEDUP = 1e-3  # what holding nothing counts as
MOST_SWEEPS = 60


def best_allocation(
    speedup: Floats, present: Ints, capacity: Ints, low: Ints, high: Ints, reallocation: Floats, exponent: float
) -> Ints:
    """(jobs, nodes) GPUs; each job holds nothing or `low` to `high`.

    speedup (jobs, 2, most + 1) by [on one node, on several] and GPUs, 0 where that is not possible; present (jobs,
    nodes) fits into capacity (nodes,); reallocation (jobs,) is the factor on the speed-up of a job whose allocation
    changes. exponent: 1 is the mean, lower is fairer, 0 the geometric mean.
    """
    jobs = len(present)
    if not jobs:
        return present
    changed = _utility(speedup * reallocation[:, None, None], exponent)
    several = (np.count_nonzero(present, axis=1) > 1).astype(np.int64)
    kept = _utility(speedup[np.arange(jobs), several, present.sum(axis=1)], exponent)
    problem = Problem(changed, choices(changed, low, high), kept, present, low, high)
    found = [_searched(problem, capacity, present, 0)]
    found += [_searched(problem, capacity, np.zeros_like(present), first) for first in (0, jobs // 2)]
    held, utility = found[0]
    for other, better in found[1:]:
        if better > utility + LEAST_RISE * abs(utility):
            held, utility = other, better
    return held


def power_mean(speedup: Floats, exponent: float) -> float:
    """The fitness of speed-ups (jobs,): what holds nothing counts as a thousandth."""
    least = np.maximum(speedup, TINY_SPEEDUP)
    if exponent == 0:
        return float(np.exp(np.log(least).mean()))
    return float((least**exponent).mean() ** (1 / exponent))


def _utility(speedup: Floats, exponent: float) -> Floats:
    """A number whose sum grows with the power mean."""
    least = np.maximum(speedup, TINY_SPEEDUP)
    utility: Floats = np.log(least) if exponent == 0 else np.sign(exponent) * least**exponent
    return utility


@allocating
def choices(changed: Floats, low: Ints, high: Ints) -> Ints:
    """Best number of GPUs by job, [on one node, on several] and GPUs that are free."""
    best = np.zeros(changed.shape, np.int64)
    for job in range(changed.shape[0]):
        for several in range(2):
            for gpus in range(1, changed.shape[2]):
                before = best[job, several, gpus - 1]
                allowed = max(low[job], several + 1) <= gpus and gpus <= high[job]
                better = allowed and changed[job, several, gpus] > changed[job, several, before]
                best[job, several, gpus] = gpus if better else before
    return best


def _searched(problem: Problem, capacity: Ints, start: Ints, first: int) -> tuple[Ints, float]:
    """A local optimum from `start`, jobs taken in turn from `first` on, and its sum of utilities."""
    jobs, nodes = start.shape
    several = np.count_nonzero(start, axis=1) > 1
    spread = np.count_nonzero(start[several], axis=0)
    m = Matrix(problem, start.copy(), start.sum(axis=1), capacity - start.sum(axis=0), spread)
    rows = np.zeros((5, nodes), np.int64)
    seed_smallest(m, first, rows)
    for _ in range(MOST_SWEEPS):
        if not sweep(m, first, rows):
            break
    return m.held, sum(worth(problem, job, m.held[job]) for job in range(jobs))
