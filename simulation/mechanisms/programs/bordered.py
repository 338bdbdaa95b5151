"""Linear equations of many small blocks that meet in a narrow border:

own[j] x[j] + border[j] y = sides[j] for every j,   sum over j of border[j].T x[j] + corner * y = border_sides.

Shapes: own (n, k, k), border (n, k, c), corner (c,), x and sides (n, k), y and border_sides (c,).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.engine.kernels.compiling import allocating, inner
from simulation.records import Floats

MENDINGS = 2  # of each solution, by what rounding has left amiss


class Bordered(NamedTuple):
    """The equations, and what their solutions are made of."""

    own: Floats
    border: Floats
    corner: Floats
    inverse: Floats  # (n, k, k) of each own block
    common: Floats  # (c, c) inverse of what is left of the corner without the blocks


@allocating
def eliminate(own: Floats, border: Floats, corner: Floats) -> Bordered:
    n, k, c = border.shape
    inverse = np.empty(own.shape)
    common, common_inverse = np.zeros((c, c)), np.empty((c, c))
    for row in range(c):
        common[row, row] = corner[row]
    through, scratch = np.empty((k, c)), np.empty((k, k))
    for j in range(n):
        for row in range(k):
            for i in range(k):
                scratch[row, i] = own[j, row, i]
        invert(scratch, inverse[j])
        for row in range(k):
            for col in range(c):
                total = 0.0
                for i in range(k):
                    total += inverse[j, row, i] * border[j, i, col]
                through[row, col] = total
        for row in range(c):
            for col in range(c):
                for i in range(k):
                    common[row, col] -= border[j, i, row] * through[i, col]
    invert(common, common_inverse)
    return Bordered(own, border, corner, inverse, common_inverse)


@allocating
def solve(b: Bordered, sides: Floats, border_sides: Floats) -> tuple[Floats, Floats]:
    """x and y; what rounding has spoilt is mended by solving for what is amiss."""
    x, y = _once(b, sides, border_sides)
    for _ in range(MENDINGS):
        amiss, amiss_outer = _amiss(b, x, y, sides, border_sides)
        dx, dy = _once(b, amiss, amiss_outer)
        for j in range(len(x)):
            for i in range(x.shape[1]):
                x[j, i] += dx[j, i]
        for i in range(len(y)):
            y[i] += dy[i]
    return x, y


@allocating
def _once(b: Bordered, sides: Floats, border_sides: Floats) -> tuple[Floats, Floats]:
    n, k, c = b.border.shape
    x, left = np.zeros((n, k)), border_sides.copy()
    for j in range(n):
        for row in range(k):
            for i in range(k):
                x[j, row] += b.inverse[j, row, i] * sides[j, i]
        for row in range(k):
            for col in range(c):
                left[col] -= b.border[j, row, col] * x[j, row]
    y = np.zeros(c)
    for row in range(c):
        for col in range(c):
            y[row] += b.common[row, col] * left[col]
    pulled = np.empty(k)
    for j in range(n):
        for i in range(k):
            pulled[i] = 0.0
            for col in range(c):
                pulled[i] += b.border[j, i, col] * y[col]
        for row in range(k):
            for i in range(k):
                x[j, row] -= b.inverse[j, row, i] * pulled[i]
    return x, y


@allocating
def _amiss(b: Bordered, x: Floats, y: Floats, sides: Floats, border_sides: Floats) -> tuple[Floats, Floats]:
    """Right sides less left sides."""
    n, k, c = b.border.shape
    rest, rest_outer = sides.copy(), border_sides.copy()
    for col in range(c):
        rest_outer[col] -= b.corner[col] * y[col]
    for j in range(n):
        for row in range(k):
            for i in range(k):
                rest[j, row] -= b.own[j, row, i] * x[j, i]
            for col in range(c):
                rest[j, row] -= b.border[j, row, col] * y[col]
                rest_outer[col] -= b.border[j, row, col] * x[j, row]
    return rest, rest_outer


@inner
def invert(matrix: Floats, inverse: Floats) -> None:
    """Inverse of a small square matrix, by elimination with the largest pivot of each column; uses `matrix` up.

    A direction that rounding has left without a pivot is left alone.
    """
    k = len(matrix)
    for row in range(k):
        for i in range(k):
            inverse[row, i] = 1.0 if row == i else 0.0
    for col in range(k):
        pivot = col
        for row in range(col + 1, k):
            if abs(matrix[row, col]) > abs(matrix[pivot, col]):
                pivot = row
        scale = 1.0 / matrix[pivot, col] if matrix[pivot, col] != 0.0 else 0.0
        for i in range(k):
            matrix[pivot, i], matrix[col, i] = matrix[col, i], matrix[pivot, i] * scale
            inverse[pivot, i], inverse[col, i] = inverse[col, i], inverse[pivot, i] * scale
        for row in range(k):
            factor = matrix[row, col]
            if row != col and factor != 0.0:
                for i in range(k):
                    matrix[row, i] -= factor * matrix[col, i]
                    inverse[row, i] -= factor * inverse[col, i]
