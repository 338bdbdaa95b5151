"""The linear program under every allocation program, by an interior-point method that knows its shape.

Jobs meet only in the few rows of capacity and in the common level, so a step takes time in proportion to the number of
jobs. Where a program has many optima the method ends near the middle of them (their analytic centre): equal jobs get
equal shares. Steps are Mehrotra's predictor and corrector.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner, kernel
from simulation.mechanisms.programs.bordered import Bordered, eliminate, solve
from simulation.records import Floats

TOLERANCE = 1e-8  # of every constraint
GAP = 1e-7  # between the value found and the bound that prices prove
SETTLED_GAP, ROUNDING = 1e-4, 1e-6  # the same two, where rounding lets the method come no closer
MOST_STEPS = 100
NO_GAP = 1e12  # prices grow without bound: the rows cannot be kept together
STAY_INSIDE = 0.98  # of the way to the nearest bound


class LinearProgram(NamedTuple):
    """Shares x (jobs, types) from 0 to 1 and a level z that maximise `value` . x + z, subject to

    worth[j] . x[j] >= floor[j] + lift[j] z  and  sum of x[j] <= 1, for every job j,
    sum over jobs of gang[j] x[j, t] <= gpus[t], for every type t.

    Where no `lift` is positive, there is no z. Rows are listed as floors, times, capacities, signs of x.
    """

    value: Floats  # (jobs, types)
    worth: Floats  # (jobs, types)
    floor: Floats  # (jobs,)
    lift: Floats  # (jobs,)
    gang: Floats  # (jobs,)
    gpus: Floats  # (types,) more than 0


class Optimum(NamedTuple):
    share: Floats  # (jobs, types)
    level: float  # 0 where the program has none
    price: Floats  # (jobs,) of floors: 0 where a job has more than its floor
    spare: Floats  # (jobs,) by how much


class _Point(NamedTuple):
    """Where the method is, or a step from there: shares and level, slacks and prices of the rows."""

    share: Floats  # (jobs, types)
    level: Floats  # (1,)
    slack: Floats  # (rows,)
    price: Floats  # (rows,)


class _Rest(NamedTuple):
    """What is amiss at a point: rows that are not kept, and costs that are not covered."""

    excess: Floats  # (rows,)
    steep: Floats  # (jobs, types)
    steep_level: Floats  # (1,)


def maximise(lp: LinearProgram) -> Optimum:
    """ValueError: no solution was found, as where floors cannot be met together."""
    jobs, types = lp.value.shape
    limit = np.concatenate([-lp.floor, np.ones(jobs), lp.gpus, np.zeros(jobs * types)])
    at = _Point(np.zeros((jobs, types)), np.zeros(1), np.maximum(limit, 1.0), np.ones(len(limit)))
    if not _solve(lp, limit, at):
        raise ValueError(f"a linear program of {jobs * types} shares has no solution, or none in {MOST_STEPS} steps")
    return Optimum(at.share, float(at.level[0]), at.price[:jobs], at.slack[:jobs])


@allocating
def _solve(lp: LinearProgram, limit: Floats, at: _Point) -> bool:
    """Move `at` to the optimum."""
    count = len(limit)
    step = _Point(np.empty(at.share.shape), np.empty(1), np.empty(count), np.empty(count))
    rest = _Rest(np.empty(count), np.empty(at.share.shape), np.empty(1))
    products = np.empty(count)
    best = _Point(at.share.copy(), at.level.copy(), at.slack.copy(), at.price.copy())
    settled = False
    for _ in range(MOST_STEPS):
        gap = _gap(at, step, 0.0)
        error = _amiss(lp, limit, at, rest)
        if gap < GAP and error < TOLERANCE:
            return True
        if gap > NO_GAP or (settled and error > ROUNDING):
            break
        if gap < SETTLED_GAP and error < ROUNDING:
            settled = True
            _copy(at, best)
        equations = _newton(lp, at)
        for i in range(count):
            products[i] = -at.slack[i] * at.price[i]
        _towards(lp, equations, at, rest, products, step)
        reached = _gap(at, step, _way(at, step)) / gap
        centre = reached * reached * reached * gap / count
        for i in range(count):
            products[i] = centre - at.slack[i] * at.price[i] - step.slack[i] * step.price[i]
        _towards(lp, equations, at, rest, products, step)
        _move(at, step, STAY_INSIDE * _way(at, step))
    _copy(best, at)
    return settled


@inner
def _gap(at: _Point, step: _Point, way: float) -> float:
    """Slacks times prices, `way` along a step."""
    gap = 0.0
    for i in range(len(at.slack)):
        if way == 0.0:
            gap += at.slack[i] * at.price[i]
        else:
            gap += (at.slack[i] + way * step.slack[i]) * (at.price[i] + way * step.price[i])
    return gap


@kernel
def left_side(lp: LinearProgram, share: Floats, level: float, left: Floats) -> None:
    """Write into `left` (rows,) what the rows come to, each at most its limit."""
    jobs, types = share.shape
    for t in range(types):
        left[2 * jobs + t] = 0.0
    for j in range(jobs):
        left[j], left[jobs + j] = lp.lift[j] * level, 0.0
        for t in range(types):
            x = share[j, t]
            left[j] -= lp.worth[j, t] * x
            left[jobs + j] += x
            left[2 * jobs + t] += lp.gang[j] * x
            left[2 * jobs + types + j * types + t] = -x


@inner
def _amiss(lp: LinearProgram, limit: Floats, at: _Point, rest: _Rest) -> float:
    """Fill in `rest`; returns the largest of it."""
    jobs, types = at.share.shape
    price, signs = at.price, 2 * jobs + types
    left_side(lp, at.share, at.level[0], rest.excess)
    most = 0.0
    for i in range(len(limit)):
        rest.excess[i] = limit[i] - rest.excess[i] - at.slack[i]
        most = max(most, abs(rest.excess[i]))
    rises, rest.steep_level[0] = False, -1.0
    for j in range(jobs):
        rises |= lp.lift[j] != 0.0
        rest.steep_level[0] += lp.lift[j] * price[j]
        for t in range(types):
            cost = price[jobs + j] + lp.gang[j] * price[2 * jobs + t] - lp.worth[j, t] * price[j]
            rest.steep[j, t] = cost - price[signs + j * types + t] - lp.value[j, t]
            most = max(most, abs(rest.steep[j, t]))
    if not rises:
        rest.steep_level[0] = 0.0
    return max(most, float(abs(rest.steep_level[0])))


@allocating
def _newton(lp: LinearProgram, at: _Point) -> Bordered:
    """The equations of a step: one block a job (its shares, and the prices of its floor and of its time), bordered by
    the prices of capacities and by the level."""
    jobs, types = at.share.shape
    signs = 2 * jobs + types
    own = np.zeros((jobs, types + 2, types + 2))
    border = np.zeros((jobs, types + 2, types + 1))
    corner = np.zeros(types + 1)
    for t in range(types):
        corner[t] = -at.slack[2 * jobs + t] / at.price[2 * jobs + t]
    corner[types] = 1.0
    for j in range(jobs):
        for t in range(types):
            sign = signs + j * types + t
            own[j, t, t] = at.price[sign] / at.slack[sign]
            own[j, t, types] = own[j, types, t] = -lp.worth[j, t]
            own[j, t, types + 1] = own[j, types + 1, t] = 1.0
            border[j, t, t] = lp.gang[j]
        own[j, types, types] = -at.slack[j] / at.price[j]
        own[j, types + 1, types + 1] = -at.slack[jobs + j] / at.price[jobs + j]
        border[j, types, types] = lp.lift[j]
        if lp.lift[j] != 0.0:
            corner[types] = 0.0
    return eliminate(own, border, corner)


@allocating
def _towards(
    lp: LinearProgram, equations: Bordered, at: _Point, rest: _Rest, products: Floats, step: _Point
) -> None:  # fmt: skip
    """Write into `step` what mends `rest` and changes the products of slacks and prices by `products`."""
    jobs, types = at.share.shape
    signs = 2 * jobs + types
    over, sides, border_sides = step.slack, np.empty((jobs, types + 2)), np.empty(types + 1)
    for i in range(len(over)):
        over[i] = rest.excess[i] - products[i] / at.price[i]
    for j in range(jobs):
        for t in range(types):
            sign = signs + j * types + t
            sides[j, t] = -over[sign] * at.price[sign] / at.slack[sign] - rest.steep[j, t]
        sides[j, types], sides[j, types + 1] = over[j], over[jobs + j]
    for t in range(types):
        border_sides[t] = over[2 * jobs + t]
    border_sides[types] = -rest.steep_level[0]
    x, y = solve(equations, sides, border_sides)
    for j in range(jobs):
        for t in range(types):
            step.share[j, t] = x[j, t]
    step.level[0] = y[types]
    left_side(lp, step.share, float(y[types]), step.slack)
    for i in range(len(over)):
        step.slack[i] = rest.excess[i] - step.slack[i]
        step.price[i] = (products[i] - at.price[i] * step.slack[i]) / at.slack[i]


@inner
def _way(at: _Point, step: _Point) -> float:
    """How much of a step, 1 at most, keeps slacks and prices positive."""
    way = 1.0
    for i in range(len(at.slack)):
        if step.slack[i] < 0.0:
            way = min(way, -at.slack[i] / step.slack[i])
        if step.price[i] < 0.0:
            way = min(way, -at.price[i] / step.price[i])
    return way


@inner
def _copy(point: _Point, into: _Point) -> None:
    jobs, types = point.share.shape
    into.level[0] = point.level[0]
    for j in range(jobs):
        for t in range(types):
            into.share[j, t] = point.share[j, t]
    for i in range(len(point.slack)):
        into.slack[i], into.price[i] = point.slack[i], point.price[i]


@inner
def _move(at: _Point, step: _Point, way: float) -> None:
    jobs, types = at.share.shape
    at.level[0] += way * step.level[0]
    for j in range(jobs):
        for t in range(types):
            at.share[j, t] += way * step.share[j, t]
    for i in range(len(at.slack)):
        at.slack[i] += way * step.slack[i]
        at.price[i] += way * step.price[i]
