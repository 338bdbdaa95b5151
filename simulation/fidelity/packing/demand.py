"""More of the same demand, until there is more than a cluster holds."""

from __future__ import annotations

import numpy as np

from simulation.fidelity.packing.nodes import Demands
from simulation.records import Ints


def until_full(demands: Demands, most_milli: int, rng: np.random.Generator) -> Ints:
    """Rows of `demands` in the order of arrival: all of them shuffled, then draws with replacement up to `most_milli`.

    Where all of them ask for more than that, as many are left out, by lot. Raises ValueError where none asks for GPUs.
    """
    total_milli = demands.total_milli
    if not total_milli.any():
        raise ValueError("none of the demands is for GPUs")
    rows = rng.permutation(len(total_milli))
    asked = int(total_milli.sum())
    if asked > most_milli:
        kept = np.searchsorted(np.cumsum(total_milli[rows]), most_milli, side="right")
        return rows[:kept].astype(np.int64)
    more: list[int] = []
    while True:
        row = int(rng.integers(len(total_milli)))
        if asked + demands.milli[row] > most_milli:
            return np.concatenate([rows, np.array(more, dtype=np.int64)])
        asked += int(total_milli[row])
        more.append(row)
