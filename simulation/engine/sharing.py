"""How fast jobs are that share GPUs: the law by which the members of a group slow each other down.

What a recipe chooses is the way of sharing; how it turns out follows from what the jobs are (their profiles), whatever
the recipe predicted.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from simulation.by_address import ByAddress
from simulation.records import Floats, Ints

EXCLUSIVE, CROWDING, TIME_SLICES, INTERLEAVING = range(4)
STAGES = 4
UNKNOWN_UTILISATION = 1.0  # a job whose utilisation is unknown is taken to fill its GPU


class SharingLaw(ByAddress):
    """`most` jobs share a GPU. Parameters by law:

    CROWDING       (slope, threshold): rate 1 - slope x max(0, summed utilisation - threshold), at least 1 / members
    TIME_SLICES    (loss,): rate (1 - loss) / max(1, summed utilisation)
    INTERLEAVING   (inflation of 1, 2, 3, 4 members): all do one iteration in the least time in which their stages can
                   be staggered, so that no resource serves two at once
    """

    law: int
    most: int
    parameters: Floats
    orders: Ints  # (orders, STAGES) permutations of the members of a group


def sharing_law(law: int, most: int, *parameters: float) -> SharingLaw:
    orders = np.array(list(permutations(range(STAGES))), dtype=np.int64)
    return SharingLaw(law, most, np.array(parameters or (0.0,), dtype=np.float64), orders)


ALONE = sharing_law(EXCLUSIVE, 1)
