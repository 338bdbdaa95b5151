"""Linear programs by an interior-point method (Mehrotra's predictor and corrector), dense.

Where a program has many optima such a method ends near the middle of them (their analytic centre), and a simplex method
at a corner. Digits beyond the tolerance are noise, and differ from machine to machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from simulation.records import Floats

TOLERANCE = 1e-8  # of the gap between bounds, and of every constraint
MOST_STEPS = 100
STAY_INSIDE = 0.98  # of the way to the nearest bound
REGULAR = 1e-14  # keeps the factors positive where unknowns are fixed


class Step(NamedTuple):
    """A change of the unknowns, of the slacks of constraints, and of their prices."""

    unknown: Floats
    slack: Floats
    price: Floats


def minimise(cost: Floats, rows: Floats, at_most: Floats) -> Floats:
    """x of least `cost @ x` with `rows @ x <= at_most`, (n,) from (n,), (m, n), (m,). ValueError: none was found."""
    unknown, price = np.zeros(len(cost)), np.ones(len(at_most))
    slack = np.maximum(at_most, 1.0)
    for _ in range(MOST_STEPS):
        gap = float(slack @ price) / len(slack)
        excess, steep = at_most - rows @ unknown - slack, cost + rows.T @ price
        if max(gap, np.abs(excess).max(), np.abs(steep).max()) < TOLERANCE:
            return unknown
        newton = _newton(rows, slack, price, excess, steep)
        guess = newton(-slack * price)
        way = _way(slack, price, guess)
        reached = float((slack + way * guess.slack) @ (price + way * guess.price)) / len(slack)
        step = newton((reached / gap) ** 3 * gap - slack * price - guess.slack * guess.price)
        way = STAY_INSIDE * _way(slack, price, step)
        unknown, slack, price = unknown + way * step.unknown, slack + way * step.slack, price + way * step.price
    raise ValueError(f"a linear program of {len(cost)} unknowns was not solved in {MOST_STEPS} steps")


def _newton(
    rows: Floats, slack: Floats, price: Floats, excess: Floats, steep: Floats
) -> Callable[[Floats], Step]:  # fmt: skip
    """The step that would mend `excess` and `steep` and change the products of slack and price by what it is given."""
    curvature = rows.T @ ((price / slack)[:, None] * rows)
    factors = cho_factor(curvature + REGULAR * np.eye(len(curvature)))

    def step(products: Floats) -> Step:
        unknown: Floats = cho_solve(factors, -steep - rows.T @ ((products - price * excess) / slack))
        of_slack = excess - rows @ unknown
        return Step(unknown, of_slack, (products - price * of_slack) / slack)

    return step


def _way(slack: Floats, price: Floats, step: Step) -> float:
    """How much of a step, 1 at most, keeps slacks and prices positive."""
    level, change = np.concatenate([slack, price]), np.concatenate([step.slack, step.price])
    falling = change < 0
    return float((-level[falling] / change[falling]).min(initial=1.0))
