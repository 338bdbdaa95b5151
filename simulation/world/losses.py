"""Losses of the jobs of a replication: what is observed after each iteration, and where a loss ends its job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulation.loss_curve import PARAMETERS, EarlyStop, Family, LossCurve
from simulation.records import Floats, Ints

LAWS: dict[Family, Callable[..., Floats]] = {
    "inverse": lambda x, a, b, c: 1.0 / (a * x + b) + c,
    "power": lambda x, a, alpha, c: a * x**-alpha + c,
    "exponential": lambda x, a, b, c: a * np.exp(-b * x) + c,
    "weibull": lambda x, a, kappa, delta, c: a * np.exp(-((kappa * x) ** delta)) + c,
    "mmf": lambda x, a, kappa, delta, c: a / (1.0 + (kappa * x) ** delta) + c,
    "inverse-log": lambda x, a, c: a / np.log(x + 1.0) + c,
}
"""Loss by (iterations, parameters in the order of `loss_curve.PARAMETERS`)."""
_FUZZ = 1e-9  # of an iteration: work is a sum of many parts


@dataclass(frozen=True, slots=True)
class Losses:
    """Jobs with a loss curve have its place in `curves`, the others -1; `row` in the table of jobs tells their noise.

    `part` is the share of its iterations after which a job ends: 1 where no loss ends it sooner.
    """

    curves: tuple[LossCurve, ...]
    curve: Ints  # (jobs,)
    row: Ints  # (jobs,)
    part: Floats  # (jobs,)

    def seen(self, job: int, done: float) -> Floats:
        """(iterations,) what was observed in the `done` share of all iterations; empty where there is no curve."""
        if self.curve[job] < 0:
            return np.empty(0)
        curve = self.curves[self.curve[job]]
        return observed(curve, int(self.row[job]))[: int(done * curve.iterations + _FUZZ)]


def build_losses(named: Sequence[str | None], rows: Ints, curves: Sequence[LossCurve]) -> Losses:
    """named: the curve of each job, by its name; rows (jobs,): of the table of jobs."""
    number: dict[str | None, int] = {given.name: place for place, given in enumerate(curves)} | {None: -1}
    curve = np.array([number[name] for name in named], dtype=np.int64)
    part, known = np.ones(len(rows)), {}
    for job in np.flatnonzero([c >= 0 and curves[c].stop is not None for c in curve.tolist()]).tolist():
        given = curves[curve[job]]
        same = (given.name, int(rows[job]) if given.noise else 0)
        if same not in known:
            assert given.stop is not None
            known[same] = stops_after(observed(given, int(rows[job])), given.stop) / given.iterations
        part[job] = known[same]
    return Losses(tuple(curves), curve, rows, part)


def loss(curve: LossCurve, iterations: Floats | Ints) -> Floats:
    """Loss after so many iterations (1 or more), without noise."""
    parameters = (curve.parameters[name] for name in PARAMETERS[curve.family])
    return LAWS[curve.family](np.asarray(iterations, dtype=np.float64), *parameters)


def observed(curve: LossCurve, row: int) -> Floats:
    """(iterations,) loss after each iteration as a job in that row of its table observes it."""
    true = loss(curve, np.arange(1, curve.iterations + 1))
    if curve.noise == 0:
        return true
    noise = np.random.default_rng([curve.seed, row]).normal(0.0, curve.noise, curve.iterations)
    return np.maximum(0.0, true + noise)


def stops_after(losses: Floats, stop: EarlyStop) -> int:
    """Iterations after which the rule ends a job with these losses; all of them where it never does."""
    best, gained_at = np.inf, 0
    for done, seen in enumerate(losses.tolist(), start=1):
        if stop.target is not None and seen <= stop.target:
            return done
        if seen < best - stop.least_gain:
            best, gained_at = seen, done
        if stop.patience is not None and done - gained_at >= stop.patience:
            return done
    return len(losses)
