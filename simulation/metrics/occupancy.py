"""Step functions made of spans: exact integrals over bins, and the occupancy of each node or job over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.records import Floats, Ints


def integral_at(times_s: Floats, start_s: Floats, end_s: Floats, weight: Floats) -> Floats:
    """Integral from -inf to each of `times_s` (m,) of the sum of `weight` over the intervals [start, end) (n,).

    The integrand is constant between two events, so linear interpolation of its integral is exact.
    """
    if len(start_s) == 0:
        return np.zeros(len(times_s))
    events = np.concatenate([start_s, end_s])
    order = np.argsort(events, kind="stable")
    events, step = events[order], np.concatenate([weight, -weight])[order]
    area = np.concatenate([[0.0], np.cumsum(np.cumsum(step)[:-1] * np.diff(events))])
    integral: Floats = np.interp(times_s, events, area)
    return integral


class Segments(NamedTuple):
    """Stretches of time in which the number of GPUs held under one key was constant."""

    key: Ints
    start_s: Floats
    end_s: Floats
    gpus: Floats


def segments(key: Ints, start_s: Floats, end_s: Floats, gpus: Floats) -> Segments:
    """Overlapping spans of each key (a node, a job) as consecutive stretches; those of no length are left out."""
    keys = np.concatenate([key, key])
    times = np.concatenate([start_s, end_s])
    step = np.concatenate([gpus, -gpus])
    order = np.lexsort((times, keys))
    keys, times, level = keys[order], times[order], np.cumsum(step[order])
    within = (keys[1:] == keys[:-1]) & (times[1:] > times[:-1])
    return Segments(keys[:-1][within], times[:-1][within], times[1:][within], level[:-1][within])
