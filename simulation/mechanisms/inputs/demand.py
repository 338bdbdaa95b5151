"""What a job can use of CPU cores and host memory: its speed over both, and the least that is worth having."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.records import Floats


class Inputs(NamedTuple):
    """CPU cores and host memory (bytes) of a job in all, or of one of its GPUs."""

    cores: float
    memory_bytes: float

    def times(self, factor: float) -> Inputs:
        return Inputs(self.cores * factor, self.memory_bytes * factor)

    def at_most(self, other: Inputs) -> Inputs:
        return Inputs(min(self.cores, other.cores), min(self.memory_bytes, other.memory_bytes))

    def exceeds(self, other: Inputs) -> bool:
        """In either of the two."""
        return self.cores > other.cores or self.memory_bytes > other.memory_bytes


class InputCurve(NamedTuple):
    """Speed of a job by cores and host memory of each GPU, against any fixed reference.

    cores (c,) and memory_bytes (m,) ascend; speed (c, m) falls in neither direction.
    """

    cores: Floats
    memory_bytes: Floats
    speed: Floats

    def at(self, inputs: Inputs) -> float:
        """Between the points along both axes; beyond them as at the nearest."""
        at_memory = [np.interp(inputs.memory_bytes, self.memory_bytes, row) for row in self.speed]
        return float(np.interp(inputs.cores, self.cores, at_memory))


def optimistic(
    cores: Floats, speed_at_full_memory: Floats, memory_bytes: Floats, data_bytes: float, storage_speed: float
) -> InputCurve:
    """A curve from a few measurements at full memory: the other axis follows from a cache with a fixed hit rate.

    data_bytes: the data set. storage_speed: what storage alone could feed, in the unit of the measured speed (c,): a
    cache of m bytes leaves 1 - m / data_bytes of the samples to storage.
    """
    missed = 1 - np.minimum(1.0, memory_bytes / data_bytes)
    fed = np.full(len(memory_bytes), np.inf)
    np.divide(storage_speed, missed, out=fed, where=missed > 0)
    return InputCurve(cores, memory_bytes, np.minimum(speed_at_full_memory[:, None], fed))


def best_demand(curve: InputCurve, fair: Inputs, tolerance: float) -> Inputs:
    """The least cores, and then the least memory, that come within `tolerance` of the greatest speed, for one GPU.

    Never so little that the job could be slower than with the fair share of one GPU, whichever of the two it is
    later cut back to.
    """
    at_fair = curve.at(fair)
    enough = max((1 - tolerance) * float(curve.speed.max()), at_fair)
    row = int(np.argmax(curve.speed[:, -1] >= enough)) if (curve.speed[:, -1] >= enough).any() else -1
    column = int(np.argmax(curve.speed[row] >= enough)) if (curve.speed[row] >= enough).any() else -1
    wanted = Inputs(float(curve.cores[row]), float(curve.memory_bytes[column]))
    if curve.at(wanted.at_most(fair)) < at_fair:
        return Inputs(max(wanted.cores, fair.cores), max(wanted.memory_bytes, fair.memory_bytes))
    return wanted
