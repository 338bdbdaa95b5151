"""Allocated and fragmented GPUs against the demand that has arrived, in % of capacity: theirs and ours by points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulation.fidelity.packing.arrivals import pack
from simulation.fidelity.packing.fragments import Typical
from simulation.fidelity.packing.nodes import MILLI, Demands, Nodes
from simulation.fidelity.rows import Row
from simulation.records import Floats, Ints

FULL = 100  # demand in % of capacity


class Theirs(NamedTuple):
    """(seeds, points) %: point k is the mean over the arrivals at which the demand rounds to k % of capacity."""

    allocated: Floats
    fragmented: Floats


class Curves(NamedTuple):
    """(points,) % of one packing; nan: no arrival there."""

    allocated: Floats
    fragmented: Floats

    @classmethod
    def of_packing(
        cls, nodes: Nodes, demands: Demands, policy: int, typical: Typical, rng: np.random.Generator, points: int
    ) -> Curves:
        percent = MILLI * int(nodes.size.sum()) / 100
        packing = pack(nodes, demands, policy, typical, rng)
        at = np.round(np.cumsum(demands.total_milli) / percent).astype(np.int64)
        return cls(
            _means(packing.used_milli / percent, at, points), _means(packing.fragment_milli / percent, at, points)
        )


def _means(values: Floats, at: Ints, points: int) -> Floats:
    inside = at < points
    count = np.bincount(at[inside], minlength=points)
    total = np.bincount(at[inside], values[inside], minlength=points)
    means: Floats = np.divide(total, count, out=np.full(points, np.nan), where=count > 0)
    return means


def curve_rows(case: str, theirs: Theirs, ours: Sequence[Curves]) -> list[Row]:
    """At full demand our mean must be as near to theirs as the farthest of their own seeds; curves are reported."""
    rows = []
    for name, their_runs, our_runs in (
        ("allocated GPUs", theirs.allocated, np.array([each.allocated for each in ours])),
        ("fragmented GPUs", theirs.fragmented, np.array([each.fragmented for each in ours])),
    ):
        mean, own = _mean(their_runs), _mean(our_runs)
        farthest = float(np.nanmax(np.abs(their_runs[:, FULL] - mean[FULL])))
        full = f"{name} when as many are asked for as there are"
        rows.append(Row(case, full, float(mean[FULL]), float(own[FULL]), farthest, "%"))
        apart = float(np.nanmax(np.abs(own - mean)))
        rows.append(Row(case, f"largest distance of the curve of {name}", 0.0, apart, None, "points of %"))
    return rows


def _mean(runs: Floats) -> Floats:
    """Over runs that have the point; nan where none has."""
    have = np.isfinite(runs)
    count = have.sum(axis=0)
    mean: Floats = np.divide(
        np.where(have, runs, 0.0).sum(axis=0), count, out=np.full(runs.shape[1], np.nan), where=count > 0
    )
    return mean
