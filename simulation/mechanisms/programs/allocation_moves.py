"""Moves of the search for GPUs: jobs are taken off nodes and put on others where the sum of utilities rises.

At most one distributed job holds GPUs of a node.
"""

from __future__ import annotations

from typing import NamedTuple

from simulation.engine.kernels.compiling import inner, kernel
from simulation.records import Floats, Ints

LEAST_RISE = 1e-9  # relative; so that rounding moves nobody


class Problem(NamedTuple):
    """The first index of tables is the job, the second 0 on one node and 1 on several, the third GPUs."""

    changed: Floats  # utility where the allocation is new
    choice: Ints  # the best number of GPUs where no more than so many are free, 0: none is allowed
    kept: Floats  # (jobs,) utility of the present allocation left as it is
    present: Ints  # (jobs, nodes)
    low: Ints  # (jobs,)
    high: Ints  # (jobs,)


class Matrix(NamedTuple):
    """A problem and an allocation in the making."""

    problem: Problem
    held: Ints  # (jobs, nodes)
    gpus: Ints  # (jobs,) sums of `held`
    free: Ints  # (nodes,)
    spread: Ints  # (nodes,) distributed jobs there


@inner
def copy_row(row: Ints, into: Ints) -> None:
    for node in range(len(row)):
        into[node] = row[node]


@inner
def count_spread(m: Matrix, job: int, by: int) -> None:
    """Note that a job, if it is distributed, comes to its nodes (by = 1) or leaves them (-1)."""
    pieces = 0
    for node in range(len(m.free)):
        pieces += m.held[job, node] > 0
    if pieces > 1:
        for node in range(len(m.free)):
            m.spread[node] += by * (m.held[job, node] > 0)


@inner
def take_off(m: Matrix, job: int, row: Ints) -> None:
    """Take all GPUs from a job and remember them in `row`."""
    count_spread(m, job, -1)
    for node in range(len(m.free)):
        row[node] = m.held[job, node]
        m.free[node] += row[node]
        m.held[job, node] = 0
    m.gpus[job] = 0


@inner
def put_on(m: Matrix, job: int, row: Ints) -> None:
    """Give a job that holds nothing the GPUs of `row`."""
    for node in range(len(m.free)):
        m.held[job, node] = row[node]
        m.free[node] -= row[node]
        m.gpus[job] += row[node]
    count_spread(m, job, 1)


@kernel
def worth(problem: Problem, job: int, row: Ints) -> float:
    """Utility of a job that holds `row`."""
    gpus = pieces = 0
    same = True
    for node in range(len(row)):
        gpus += row[node]
        pieces += row[node] > 0
        same = same and row[node] == problem.present[job, node]
    return float(problem.kept[job] if same else problem.changed[job, 1 if pieces > 1 else 0, gpus])


@inner
def fits(m: Matrix, row: Ints) -> bool:
    """Whether a job that holds nothing could hold `row`."""
    pieces = 0
    for node in range(len(row)):
        pieces += row[node] > 0
    for node in range(len(row)):
        if row[node] > m.free[node] or (row[node] > 0 and pieces > 1 and m.spread[node] > 0):
            return False
    return True


@inner
def best_row(m: Matrix, job: int, row: Ints) -> float:
    """Write the best that a job, which holds nothing, can get of what is free; returns its utility."""
    p = m.problem
    widest = total = 0
    for node in range(len(row)):
        row[node] = 0
        widest = max(widest, m.free[node])
        total += m.free[node] if m.spread[node] == 0 else 0
    best = worth(p, job, row)
    one, several = p.choice[job, 0, widest], p.choice[job, 1, total]
    if one > 0 and p.changed[job, 0, one] > best:
        best = p.changed[job, 0, one]
        row[tightest(m, one)] = one
    if several > widest and p.changed[job, 1, several] > best:
        best = p.changed[job, 1, several]
        row[:] = 0
        over_nodes(m, several, row)
    if p.kept[job] > best and fits(m, p.present[job]):
        copy_row(p.present[job], row)
    return worth(p, job, row)


@inner
def tightest(m: Matrix, gpus: int) -> int:
    """The node with room for `gpus` that keeps least free."""
    found = -1
    for node in range(len(m.free)):
        if m.free[node] >= gpus and (found < 0 or m.free[node] < m.free[found]):
            found = node
    return found


@inner
def over_nodes(m: Matrix, gpus: int, row: Ints) -> None:
    """Spread over the fewest nodes that no other distributed job uses."""
    while gpus > 0:
        widest = -1
        for node in range(len(m.free)):
            if row[node] == 0 and m.spread[node] == 0 and (widest < 0 or m.free[node] > m.free[widest]):
                widest = node
        row[widest] = min(gpus, m.free[widest])
        gpus -= row[widest]


@kernel
def seed_smallest(m: Matrix, first: int, rows: Ints) -> None:
    """Give everyone who holds nothing the smallest gang, as long as there is room on one node."""
    low, high = m.problem.low, m.problem.high
    for turn in range(len(low)):
        job = (first + turn) % len(low)
        node = tightest(m, max(1, low[job]))
        if m.gpus[job] == 0 and node >= 0 and high[job] > 0:
            rows[0, :] = 0
            rows[0, node] = max(1, low[job])
            put_on(m, job, rows[0])


@kernel
def sweep(m: Matrix, first: int, rows: Ints) -> bool:
    """Place each job anew, from `first` on, alone, then at the cost of each other one; False: nothing is better."""
    better = False
    for turn in range(len(m.gpus)):
        job = (first + turn) % len(m.gpus)
        for other in range(-1, len(m.gpus)):
            if other < 0 or (other != job and m.gpus[other] > 0):
                better = improves(m, job, other, rows) or better
    return better


@inner
def improves(m: Matrix, job: int, other: int, rows: Ints) -> bool:
    """Place `job` anew where that raises the sum of both utilities; False, and nothing changed, where it does not.

    `other` (-1: nobody) holds ever less meanwhile, in the end nothing, and then takes the best of what is left. At
    last `job` tries what `other` held.
    """
    take_off(m, job, rows[0])
    before, gives = worth(m.problem, job, rows[0]), 0
    if other >= 0:
        take_off(m, other, rows[1])
        before += worth(m.problem, other, rows[1])
        gives = total(rows[1])
        copy_row(rows[1], rows[2])
    least = before + LEAST_RISE * abs(before)
    for given in range(min(1, gives), gives + 1 + min(1, gives)):
        if 0 < given <= gives:
            drop_one(rows[2])
        if other >= 0:
            put_on(m, other, rows[2])
        after = best_row(m, job, rows[3])
        if given > gives and allowed(m, job, gives):
            copy_row(rows[1], rows[3])
            after = worth(m.problem, job, rows[3])
        put_on(m, job, rows[3])
        if other >= 0:
            take_off(m, other, rows[4])
            after += best_row(m, other, rows[4])
        if after > least:
            if other >= 0:
                put_on(m, other, rows[4])
            return True
        take_off(m, job, rows[4])
    if other >= 0:
        put_on(m, other, rows[1])
    put_on(m, job, rows[0])
    return False


@inner
def allowed(m: Matrix, job: int, gpus: int) -> bool:
    return bool(m.problem.low[job] <= gpus and gpus <= m.problem.high[job])


@inner
def total(row: Ints) -> int:
    gpus = 0
    for node in range(len(row)):
        gpus += row[node]
    return gpus


@inner
def drop_one(row: Ints) -> None:
    """Take a GPU from the smallest piece."""
    smallest = -1
    for node in range(len(row)):
        if row[node] > 0 and (smallest < 0 or row[node] < row[smallest]):
            smallest = node
    row[smallest] -= 1
