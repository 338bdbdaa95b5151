"""First come, first served, with a mind for types: each job has all of its fastest type of those with room."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import kernel
from simulation.records import Floats, Ints


def fastest_in_turn(gang: Floats | Ints, rate: Floats, gpus: Ints) -> Floats:
    """(jobs, types) shares, 0 or 1, from (jobs,), (jobs, types), (types,). The first that fits nowhere ends it."""
    share = np.zeros(rate.shape)
    _in_turn(gang.astype(np.float64), rate, gpus.astype(np.float64), share)
    return share


@kernel
def _in_turn(gang: Floats, rate: Floats, free: Floats, share: Floats) -> None:
    for i in range(len(gang)):
        fastest = -1
        for kind in range(len(free)):
            if free[kind] >= gang[i] and (fastest < 0 or rate[i, kind] > rate[i, fastest]):
                fastest = kind
        if fastest < 0:
            return
        if rate[i, fastest] > 0.0:
            share[i, fastest] = 1.0
            free[fastest] -= gang[i]
