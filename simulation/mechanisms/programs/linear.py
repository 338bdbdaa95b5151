"""The linear program under every allocation program, by an interior-point method that knows its shape.

Jobs meet only in the few rows of capacity and in the common level, so a step takes time in proportion to the number of
jobs. Where a program has many optima the method ends near the middle of them (their analytic centre): equal jobs get
equal shares. Steps are Mehrotra's predictor and corrector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulation.records import Floats

TOLERANCE = 1e-8  # of every constraint
GAP = 1e-7  # between the value found and the bound that prices prove
MOST_STEPS = 100
MENDINGS = 1  # of each solution, by what rounding has left amiss
STAY_INSIDE = 0.98  # of the way to the nearest bound


@dataclass(frozen=True)
class LinearProgram:
    """Shares x (jobs, types) from 0 to 1 and a level z that maximise `value` . x + z, subject to

    worth[j] . x[j] >= floor[j] + lift[j] z  and  sum of x[j] <= 1, for every job j,
    sum over jobs of gang[j] x[j, t] <= gpus[t], for every type t.

    Where no `lift` is positive, there is no z.
    """

    value: Floats  # (jobs, types)
    worth: Floats  # (jobs, types)
    floor: Floats  # (jobs,)
    lift: Floats  # (jobs,)
    gang: Floats  # (jobs,)
    gpus: Floats  # (types,) more than 0

    def rows(self, share: Floats, level: float) -> Floats:
        """Left sides of all constraints as `left <= right`: floors, times, capacities, signs; one flat array."""
        reached = self.lift * level - (self.worth * share).sum(axis=1)
        return np.concatenate([reached, share.sum(axis=1), self.gang @ share, -share.ravel()])

    def right(self) -> Floats:
        jobs, types = self.value.shape
        return np.concatenate([-self.floor, np.ones(jobs), self.gpus, np.zeros(jobs * types)])

    def split(self, rows: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Of floors (jobs,), of times (jobs,), of capacities (types,), of signs (jobs, types)."""
        jobs, types = self.value.shape
        floors, times, capacities, signs = np.split(rows, [jobs, 2 * jobs, 2 * jobs + types])
        return floors, times, capacities, signs.reshape(jobs, types)

    def columns(self, price: Floats) -> tuple[Floats, float]:
        """What shares and the level cost at `price` of the rows."""
        floors, times, capacities, signs = self.split(price)
        of_share = times[:, None] + self.gang[:, None] * capacities - self.worth * floors[:, None] - signs
        return of_share, float(self.lift @ floors)


class Optimum(NamedTuple):
    share: Floats  # (jobs, types)
    level: float  # 0 where the program has none
    price: Floats  # (jobs,) of floors: 0 where a job has more than its floor
    spare: Floats  # (jobs,) by how much


class _Step(NamedTuple):
    share: Floats
    level: float
    slack: Floats
    price: Floats


def maximise(lp: LinearProgram) -> Optimum:
    """ValueError: no solution was found, as where floors cannot be met together."""
    right, rises = lp.right(), bool(lp.lift.any())
    share, level, price = np.zeros(lp.value.shape), 0.0, np.ones(len(right))
    slack = np.maximum(right, 1.0)
    for _ in range(MOST_STEPS):
        whole_gap = float(slack @ price)
        gap = whole_gap / len(slack)
        excess = right - lp.rows(share, level) - slack
        of_share, of_level = lp.columns(price)
        steep = of_share - lp.value, of_level - 1.0 if rises else 0.0
        error = max(np.abs(excess).max(), np.abs(steep[0]).max(), abs(steep[1]))
        if whole_gap < GAP and error < TOLERANCE:
            return Optimum(share, level, lp.split(price)[0], lp.split(slack)[0])
        newton = _newton(lp, slack, price, excess, steep)
        guess = newton(-slack * price)
        way = _way(slack, price, guess)
        reached = float((slack + way * guess.slack) @ (price + way * guess.price)) / len(slack)
        step = newton((reached / gap) ** 3 * gap - slack * price - guess.slack * guess.price)
        way = STAY_INSIDE * _way(slack, price, step)
        share, level = share + way * step.share, level + way * step.level
        slack, price = slack + way * step.slack, price + way * step.price
    raise ValueError(f"a linear program of {share.size} shares was not solved in {MOST_STEPS} steps")


def _newton(
    lp: LinearProgram, slack: Floats, price: Floats, excess: Floats, steep: tuple[Floats, float]
) -> Callable[[Floats], _Step]:
    """The step that would mend `excess` and `steep` and change the products of slack and price by what it is given.

    One small matrix a job (its shares, and the prices of its floor and of its time), bordered by the prices of
    capacities and by the level: those are solved for first.
    """
    yielding = slack / price
    floors, times, capacities, _ = lp.split(yielding)
    signs = lp.split(price / slack)[3]
    jobs, types = lp.value.shape
    own = np.zeros((jobs, types + 2, types + 2))
    kind = np.arange(types)
    own[:, kind, kind] = signs
    own[:, kind, types] = own[:, types, kind] = -lp.worth
    own[:, kind, types + 1] = own[:, types + 1, kind] = 1.0
    own[:, types, types], own[:, types + 1, types + 1] = -floors, -times
    border = np.zeros((jobs, types + 2, types + 1))
    border[:, kind, kind] = lp.gang[:, None]
    border[:, types, types] = lp.lift
    solve = _bordered(own, border, np.append(-capacities, 0.0 if lp.lift.any() else 1.0))

    def step(products: Floats) -> _Step:
        over = lp.split(excess - products / price)
        force = lp.split(products / slack - excess * price / slack)[3] - steep[0]
        found, common = solve(np.column_stack([force, over[0], over[1]]), np.append(over[2], -steep[1]))
        share, level = found[:, :types], float(common[types])
        change = excess - lp.rows(share, level)
        return _Step(share, level, change, (products - price * change) / slack)

    return step


def _bordered(own: Floats, border: Floats, corner: Floats) -> Callable[[Floats, Floats], tuple[Floats, Floats]]:
    """Solver of `own[j] x[j] + border[j] y = inner[j]` for all j, and `sum of border[j].T x[j] + corner * y = outer`.

    (n, k, k), (n, k, c), (c,), then (n, k), (c,). What rounding has spoilt is mended by solving for what is amiss.
    """
    inverse = np.linalg.inv(own)
    through = inverse @ border
    common = np.diag(corner) - np.einsum("jkb,jkc->bc", border, through)

    def once(inner: Floats, outer: Floats) -> tuple[Floats, Floats]:
        bent = np.einsum("jkl,jl->jk", inverse, inner)
        y = np.linalg.solve(common, outer - np.einsum("jkb,jk->b", border, bent))
        return bent - through @ y, y

    def solve(inner: Floats, outer: Floats) -> tuple[Floats, Floats]:
        x, y = once(inner, outer)
        for _ in range(MENDINGS):
            amiss = inner - np.einsum("jkl,jl->jk", own, x) - border @ y
            dx, dy = once(amiss, outer - np.einsum("jkb,jk->b", border, x) - corner * y)
            x, y = x + dx, y + dy
        return x, y

    return solve


def _way(slack: Floats, price: Floats, step: _Step) -> float:
    """How much of a step, 1 at most, keeps slacks and prices positive."""
    level, change = np.concatenate([slack, price]), np.concatenate([step.slack, step.price])
    falling = change < 0
    return float((-level[falling] / change[falling]).min(initial=1.0))
