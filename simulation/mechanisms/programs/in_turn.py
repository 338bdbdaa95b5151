"""First come, first served, with a mind for types: each job has all of its fastest type of those with room."""

from __future__ import annotations

import numpy as np

from simulation.records import Floats, Ints


def fastest_in_turn(gang: Floats | Ints, rate: Floats, gpus: Ints) -> Floats:
    """(jobs, types) shares, 0 or 1, from (jobs,), (jobs, types), (types,). The first that fits nowhere ends it."""
    free, share = gpus.astype(np.float64), np.zeros(rate.shape)
    for i, width in enumerate(gang):
        room = free >= width
        if not room.any():
            break
        fastest = int(np.argmax(np.where(room, rate[i], -np.inf)))
        if rate[i, fastest]:
            share[i, fastest] = 1.0
            free[fastest] -= width
    return share
