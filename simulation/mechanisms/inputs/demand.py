"""What a job can use of CPU cores and host memory: its speed over both, and the least that is worth having."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.records import Floats

ROUNDING = 1 + 1e-9
CORES, MEMORY, SPEED = range(3)  # columns of a list of measured points


class Share(NamedTuple):
    """CPU cores and bytes of host memory, of each GPU or of a whole job."""

    cores: float
    memory_bytes: float

    def times(self, factor: float) -> Share:
        return Share(self.cores * factor, self.memory_bytes * factor)

    def at_most(self, other: Share) -> Share:
        return Share(min(self.cores, other.cores), min(self.memory_bytes, other.memory_bytes))

    def exceeds(self, other: Share) -> bool:
        """In either of the two."""
        return self.cores > other.cores or self.memory_bytes > other.memory_bytes


def speed_with(points: Floats, inputs: Share) -> float:
    """Speed over that with a fair share: that of the best point within `inputs`, 0 where there is none.

    points (n, 3): cores and bytes of host memory for a GPU, and the speed measured with them.
    """
    within = (points[:, CORES] <= inputs.cores * ROUNDING) & (points[:, MEMORY] <= inputs.memory_bytes * ROUNDING)
    return float(points[within, SPEED].max(initial=0.0))


def best_demand(points: Floats, fair: Share, tolerance: float) -> Share:
    """The least cores, and then the least memory, that come within `tolerance` of the greatest speed, for one GPU.

    Never so little that the job could be slower than with its fair share, whichever of the two it is later cut back
    to; so where nothing better was measured it is the fair share.
    """
    enough = points[points[:, SPEED] >= max(1.0, (1 - tolerance) * points[:, SPEED].max(initial=0.0))]
    if not len(enough):
        return fair
    least = enough[np.lexsort((enough[:, MEMORY], enough[:, CORES]))[0]]
    wanted = Share(float(least[CORES]), float(least[MEMORY]))
    if speed_with(points, wanted.at_most(fair)) >= 1.0:
        return wanted
    return Share(max(wanted.cores, fair.cores), max(wanted.memory_bytes, fair.memory_bytes))
