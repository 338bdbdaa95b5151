"""Learning curves fitted to the losses so far: what the loss will be, and when it will have got somewhere.

Families are those of `loss_curve`; each is a height times a falling shape, plus a floor, so that only the shape has to
be sought. Intervals follow from the covariance of the fit and Student's t; noise has one spread all along.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares, nnls
from scipy.special import stdtrit

from simulation.loss_curve import PARAMETERS, Family
from simulation.records import Floats, Ints
from simulation.world.losses import LAWS

COVERED = 0.9
SPARE_POINTS = 2  # more than parameters, before anything is said about noise
STARTS = 24  # rates of falling that are tried before the fit, from one iteration to ten times what has been seen
CLOSE = 2.0  # families whose AICc is this close to the best could all be true (Burnham and Anderson, 2002)


class Expected(NamedTuple):
    """What is expected, and where it should be in 90 of 100 cases; inf: never."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """One family with its best parameters, their covariance, and by how much the points miss it."""

    family: Family
    parameters: Floats
    covariance: Floats
    freedom: int
    misfit: float  # AICc, up to a constant

    def loss(self, iterations: Floats | Ints, ahead: int = 0) -> tuple[Floats, Floats]:
        """Loss after so many iterations, or its fall over the next `ahead`; and half the width of its interval."""
        at = np.atleast_1d(np.asarray(iterations, dtype=np.float64))
        value, slope = LAWS[self.family](at, *self.parameters), _slopes(self.family, at, self.parameters)
        if ahead:
            value = value - LAWS[self.family](at + ahead, *self.parameters)
            slope = slope - _slopes(self.family, at + ahead, self.parameters)
        spread = np.sqrt(np.maximum(0.0, np.einsum("ij,jk,ik->i", slope, self.covariance, slope)))
        return value, float(stdtrit(self.freedom, (1 + COVERED) / 2)) * spread

    def first_below(self, limit: float, most: int, ahead: int = 0) -> Expected:
        """Iterations after which the loss (its fall over the next `ahead`) is at `limit` or less; inf beyond `most`."""
        value, reach = self.loss(np.arange(1, most + 1), ahead)
        return Expected(*(_first(bound <= limit) for bound in (value, value - reach, value + reach)))


def fit(losses: Floats, family: Family, growth: float = 1.0) -> Fit | None:
    """Least squares; the second third of the points weighs `growth` times the first, the last as much again.

    losses (n,): after iterations 1 to n. None where there are too few, or no fit is found.
    """
    n, count = len(losses), len(PARAMETERS[family])
    if n < count + SPARE_POINTS:
        return None
    at = np.arange(1.0, n + 1)
    weight = growth ** np.minimum(2, 3 * np.arange(n) // n).astype(np.float64)
    root = np.sqrt(weight)

    def missed_by(parameters: Floats) -> Floats:
        return root * (LAWS[family](at, *parameters) - losses)

    def slopes(parameters: Floats) -> Floats:
        return root[:, None] * _slopes(family, at, parameters)

    start = _start(family, at, losses, root)
    found = least_squares(missed_by, start, jac=slopes, bounds=(0.0, np.inf), x_scale="jac", max_nfev=60)
    if not found.success or not np.isfinite(found.x).all():
        return None
    slope, missed = _slopes(family, at, found.x), LAWS[family](at, *found.x) - losses
    inverse = np.linalg.pinv(slope.T @ (weight[:, None] * slope), hermitian=True)
    noise = float(missed @ missed) / (n - count)
    covariance = noise * inverse @ (slope.T @ (weight[:, None] ** 2 * slope)) @ inverse
    correction = 2 * (count + 1) * (count + 2) / max(1, n - count - 2)
    misfit = n * math.log(max(float(missed @ missed) / n, 1e-300)) + 2 * (count + 1) + correction
    return Fit(family, found.x, covariance, n - count, misfit)


def fits(losses: Floats, families: Sequence[Family], growth: float = 1.0) -> list[Fit]:
    """Those families that could all be true, the best first; empty where none can be fitted."""
    found = [one for family in families if (one := fit(losses, family, growth)) is not None]
    found.sort(key=lambda one: one.misfit)
    return [one for one in found if one.misfit <= found[0].misfit + CLOSE]


def first_below(found: Sequence[Fit], limit: float, most: int, ahead: int = 0) -> Expected:
    """As `Fit.first_below` of the best; the interval holds those of all. Without a fit anything may be."""
    if not found:
        return Expected(math.nan, 0.0, math.inf)
    each = [one.first_below(limit, most, ahead) for one in found]
    return Expected(each[0].value, min(one.low for one in each), max(one.high for one in each))


def _first(reached: NDArray[np.bool_]) -> float:
    return float(np.argmax(reached)) + 1.0 if reached.any() else math.inf


def _start(family: Family, at: Floats, losses: Floats, root: Floats) -> Floats:
    """Of shapes on a grid, the one that fits best with the best height and floor for it."""
    best, start = np.inf, np.zeros(len(PARAMETERS[family]))
    for shape in _shapes(family, float(at[-1])):
        curve = LAWS[family](at, *_with(family, shape, 1.0, 0.0))
        (height, floor), missed = nnls(np.stack([root * curve, root], axis=1), root * losses)
        if missed < best:
            best, start = missed, _with(family, shape, max(float(height), 1e-9), float(floor))
    return np.maximum(start, 1e-12)


def _shapes(family: Family, seen: float) -> list[tuple[float, ...]]:
    rates = np.geomspace(0.1 / seen, 3.0, STARTS).tolist()
    if family == "inverse-log":
        return [()]
    if family in ("weibull", "mmf"):
        return [(kappa, delta) for kappa in rates[::2] for delta in (0.4, 0.7, 1.0, 2.0)]
    if family == "power":
        return [(alpha,) for alpha in np.geomspace(0.05, 3.0, STARTS).tolist()]
    return [(1.0 / rate if family == "inverse" else rate,) for rate in rates]


def _with(family: Family, shape: tuple[float, ...], height: float, floor: float) -> Floats:
    """Parameters of a family by its height, shape and floor."""
    if family == "inverse":  # height / (x + shape) + floor
        return np.array([1.0 / height, shape[0] / height, floor])
    return np.array([height, *shape, floor])


def _slopes(family: Family, at: Floats, parameters: Floats) -> Floats:
    """(points, parameters) derivatives of the loss, by complex steps: exact to the last digits."""
    step = 1e-30
    shifted = parameters + step * 1j * np.eye(len(parameters))
    return np.stack([LAWS[family](at, *row).imag / step for row in shifted], axis=1)
