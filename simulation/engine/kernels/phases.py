"""Iterations that take turns on a network port: when each job communicates, and how often two do so at once.

A job communicates for a part of each of its iterations, all of which take as long. Two such jobs meet in the same way
again and again, whenever both of their iterations have ended together. Over that common period every pair of instants
meets that is equal modulo the greatest common divisor g of both iterations: so what matters are the communications
wound up on a circle of length g, and where they begin there. Nothing has to be tried out, however long that period is.

Model: Rajasekaran et al., CASSINI, NSDI 2024 (circle, rotations); the closed form for a pair is ours.
"""

from __future__ import annotations

from typing import Final

from simulation.engine.kernels.compiling import inner, kernel

GRID_US: Final = 10_000  # to which iterations are rounded, so that they have a common period at all


@inner
def period_us(iteration_s: float) -> int:
    return max(1, int(iteration_s * 1e6 / GRID_US + 0.5)) * GRID_US


@inner
def common_us(a: int, b: int) -> int:
    """Greatest common divisor."""
    while b > 0:
        a, b = b, a % b
    return a


@inner
def overlap_us(a: int, b: int, gap: int, circle: int) -> int:
    """Of arcs of length a and b on a circle, the second of which begins `gap` after the first."""
    return max(0, min(a, gap + b) - gap) + max(0, min(a, gap + b - circle))


@kernel
def met_part(period: int, busy: int, other_period: int, other_busy: int, gap: int) -> float:
    """Part of its `busy` time in which a job meets another, whose busy time begins `gap` later; all in microseconds.

    gap < 0: as much later as is best.
    """
    circle = common_us(period, other_period)
    turns, rest = busy // circle, busy % circle
    other_turns, other_rest = other_busy // circle, other_busy % circle
    met = circle * turns * other_turns + turns * other_rest + other_turns * rest
    if gap < 0:
        met += max(0, rest + other_rest - circle)
    else:
        met += overlap_us(rest, other_rest, gap % circle, circle)
    return met / (busy * (other_period // circle))
