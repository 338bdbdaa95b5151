"""Linear programs by an interior-point method (Mehrotra's predictor and corrector), sparse.

Where a program has many optima such a method ends near the middle of them (their analytic centre), and a simplex method
at a corner. Digits beyond the tolerance are noise, and differ from machine to machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import block_array, csc_array, diags_array
from scipy.sparse.linalg import splu

from simulation.records import Floats

TOLERANCE = 1e-8  # of the gap between bounds, and of every constraint
MOST_STEPS = 100
STAY_INSIDE = 0.98  # of the way to the nearest bound


class Step(NamedTuple):
    """A change of the unknowns, of the slacks of constraints, and of their prices."""

    unknown: Floats
    slack: Floats
    price: Floats


def minimise(cost: Floats, rows: Floats, at_most: Floats) -> Floats:
    """x of least `cost @ x` with `rows @ x <= at_most`, (n,) from (n,), (m, n), (m,). ValueError: none was found."""
    matrix = csc_array(rows)
    unknown, price = np.zeros(len(cost)), np.ones(len(at_most))
    slack = np.maximum(at_most, 1.0)
    for _ in range(MOST_STEPS):
        gap = float(slack @ price) / len(slack)
        excess, steep = at_most - matrix @ unknown - slack, cost + matrix.T @ price
        if max(gap, np.abs(excess).max(), np.abs(steep).max()) < TOLERANCE:
            return unknown
        newton = _newton(matrix, slack, price, excess, steep)
        guess = newton(-slack * price)
        way = _way(slack, price, guess)
        reached = float((slack + way * guess.slack) @ (price + way * guess.price)) / len(slack)
        step = newton((reached / gap) ** 3 * gap - slack * price - guess.slack * guess.price)
        way = STAY_INSIDE * _way(slack, price, step)
        unknown, slack, price = unknown + way * step.unknown, slack + way * step.slack, price + way * step.price
    raise ValueError(f"a linear program of {len(cost)} unknowns was not solved in {MOST_STEPS} steps")


def _newton(matrix: csc_array, slack: Floats, price: Floats, excess: Floats, steep: Floats) -> Callable[[Floats], Step]:
    """The step that would mend `excess` and `steep` and change the products of slack and price by what it is given."""
    ratio = slack / price
    factors = splu(block_array([[None, matrix.T], [matrix, diags_array(-ratio)]], format="csc"))

    def step(products: Floats) -> Step:
        both = factors.solve(np.concatenate([-steep, excess - products / price]))
        of_price: Floats = both[len(steep) :]
        return Step(both[: len(steep)], products / price - ratio * of_price, of_price)

    return step


def _way(slack: Floats, price: Floats, step: Step) -> float:
    """How much of a step, 1 at most, keeps slacks and prices positive."""
    level, change = np.concatenate([slack, price]), np.concatenate([step.slack, step.price])
    falling = change < 0
    return float((-level[falling] / change[falling]).min(initial=1.0))
