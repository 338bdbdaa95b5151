"""The Gittins index of a job that has attained some service, from a sample of the service that jobs need.

Chance that the job ends within the next `delta` of service, over the service that it is expected to take until then.
"""

from __future__ import annotations

import numpy as np

from simulation.records import Floats

CHANCE_DIGITS, INDEX_DIGITS = 5, 4
SCALE = 1e6


def gittins_table(sample: Floats, delta: float, whole_expectation: bool = False) -> Floats:
    """(n,) index of a job that has attained just under each value of the ascending `sample`; `delta` in its unit.

    whole_expectation: the expected service is rounded down, as simulators do that divide whole numbers.
    """
    before = np.concatenate([[0.0], np.cumsum(sample)])
    return np.array([_index(sample, before, value - 1.0, delta, whole_expectation) for value in sample])


def _index(sample: Floats, before: Floats, attained: float, delta: float, whole_expectation: bool) -> float:
    """`before[i]`: sum of the first i values of the sample."""
    n, last = len(sample), sample[-1] - 1.0
    if attained > last:
        return 0.0
    first = int(np.searchsorted(sample, attained, side="right"))
    within = n - 1 if attained + delta > last else int(np.searchsorted(sample, attained + delta, side="right"))
    left = n - first
    chance = round((within - first) / left, CHANCE_DIGITS)
    service = float(before[within] - before[first] + delta * (n - within)) / left
    if whole_expectation:
        service = float(np.floor(service))
    return round(SCALE * chance / service, INDEX_DIGITS)


def index_at(sample: Floats, table: Floats, attained: Floats) -> Floats:
    """Index of jobs by what they have attained; 0 beyond the sample."""
    place = np.searchsorted(sample, attained, side="right")
    index: Floats = np.append(table, 0.0)[place]
    return index
