"""Pareto fronts: which points no other beats, feasible first; their area, their line, a knee, and how stable they are.

A point dominates another where it is at least as good in every objective and better in one. Points that are equal in
all objectives do not dominate each other: they are on the front together. Infeasible points never enter. A point with
an unknown or infinite objective is set aside, listed and never compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import moocore
import numpy as np
from numpy.typing import NDArray

from simulation.metrics.definitions import Better
from simulation.records import Floats


@dataclass(frozen=True, slots=True)
class Front:
    """Indices into the points given: each is in exactly one of the four, in the order given."""

    front: tuple[int, ...]
    dominated: tuple[int, ...]
    infeasible: tuple[int, ...]
    set_aside: tuple[int, ...]  # an objective is unknown, nan or infinite


def _table(points: Sequence[Sequence[float | None]], objectives: int) -> Floats:
    rows = [[np.nan if value is None else float(value) for value in point] for point in points]
    if any(len(row) != objectives for row in rows):
        raise ValueError(f"each point needs {objectives} objectives")
    return np.array(rows, dtype=np.float64).reshape(-1, objectives)


def _maximise(better: Sequence[Better]) -> list[bool]:
    return [direction == "higher" for direction in better]


def pareto_front(
    points: Sequence[Sequence[float | None]], better: Sequence[Better], feasible: Sequence[bool] | None = None
) -> Front:
    """Sort points (n, m) into front, dominated, infeasible and set aside; `better` says which way each objective goes.

    Raises ValueError where a point has not as many objectives as `better`, or `feasible` not one entry a point.
    """
    table = _table(points, len(better))
    allowed = np.ones(len(table), dtype=bool) if feasible is None else np.array(feasible, dtype=bool)
    if len(allowed) != len(table):
        raise ValueError(f"feasible has {len(allowed)} entries, there are {len(table)} points")
    finite = np.isfinite(table).all(axis=1)
    compared = np.flatnonzero(finite & allowed)
    best = np.zeros(len(table), dtype=bool)
    if len(compared):
        best[compared] = moocore.is_nondominated(table[compared], maximise=_maximise(better), keep_weakly=True)
    return Front(
        front=_indices(best),
        dominated=_indices(finite & allowed & ~best),
        infeasible=_indices(finite & ~allowed),
        set_aside=_indices(~finite),
    )


def _indices(mask: NDArray[np.bool_] | np.bool_) -> tuple[int, ...]:
    return tuple(int(i) for i in np.flatnonzero(mask))


def dominators(point: Sequence[float], others: Sequence[Sequence[float]], better: Sequence[Better]) -> tuple[int, ...]:
    """Indices of the `others` that dominate `point`."""
    sign = np.where(_maximise(better), -1.0, 1.0)
    mine, theirs = np.array(point, dtype=np.float64) * sign, _table(others, len(better)) * sign
    return _indices((theirs <= mine).all(axis=1) & (theirs < mine).any(axis=1))


def reference_point(
    points: Sequence[Sequence[float | None]], better: Sequence[Better], margin: float = 0.1
) -> list[float]:
    """The worst finite value of each objective over all points, and `margin` of the range beyond it."""
    table = _table(points, len(better))
    table = table[np.isfinite(table).all(axis=1)]
    if not len(table):
        raise ValueError("no finite point")
    low, high = table.min(axis=0), table.max(axis=0)
    beyond = margin * np.where(high > low, high - low, np.maximum(np.abs(high), 1.0))
    worst = np.where(_maximise(better), low - beyond, high + beyond)
    return [float(value) for value in worst]


def hypervolume(points: Sequence[Sequence[float]], better: Sequence[Better], reference: Sequence[float]) -> float:
    """Volume between the points and the reference point, in the product of the objectives' units; 0 for no point."""
    if not len(points):
        return 0.0
    return float(moocore.hypervolume(_table(points, len(better)), ref=list(reference), maximise=_maximise(better)))


def step_line(points: Sequence[tuple[float, float]], better: tuple[Better, Better]) -> list[tuple[float, float]]:
    """Corners of the line that bounds what a two-objective front dominates, from its best x to its worst.

    Between two neighbours the line goes through the corner that is no better than either: what is dominated lies on
    one side of it, and nothing on the line itself is claimed to be attainable but the points.
    """
    ordered = sorted(set(points), key=lambda p: p[0] if better[0] == "lower" else -p[0])
    line = ordered[:1]
    for here, following in pairwise(ordered):
        line += [(following[0], here[1]), following]
    return line


def knee(points: Sequence[tuple[float, float]], better: tuple[Better, Better]) -> int | None:
    """Index of the point of a front that lies farthest, on the good side, from the line between its two ends.

    Both axes are scaled to the front's range. None for fewer than three different points, or where no point lies on
    the good side (a concave front has no knee). Of equal ones the first.
    """
    if len(set(points)) < 3:
        return None
    table = _table(points, 2) * np.where(_maximise(better), -1.0, 1.0)
    low, high = table.min(axis=0), table.max(axis=0)
    x, y = ((table - low) / (high - low)).T
    gain = 1.0 - x - y  # ends of a front are (0, 1) and (1, 0); the line between them is x + y = 1
    best = int(np.argmax(gain))
    return best if gain[best] > 1e-12 else None


def stability(
    replications: Sequence[Mapping[int, Sequence[float | None]]],
    better: Sequence[Better],
    feasible: Sequence[Mapping[int, bool]] | None = None,
) -> list[tuple[int, int]]:
    """How often each scenario is on the front: (seeds in which it is, seeds compared).

    `replications`: for each scenario its objectives by seed; only seeds that all scenarios have are compared.
    `feasible`: likewise, whether the scenario keeps the hard limits in that seed.
    """
    if not replications:
        return []
    common = sorted(set.intersection(*(set(by_seed) for by_seed in replications)))
    hits = [0] * len(replications)
    for seed in common:
        allowed = None if feasible is None else [by_seed.get(seed, False) for by_seed in feasible]
        for i in pareto_front([by_seed[seed] for by_seed in replications], better, allowed).front:
            hits[i] += 1
    return [(hit, len(common)) for hit in hits]
