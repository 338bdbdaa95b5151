"""A program in parts: jobs and every type of GPU are dealt out, and each part is solved alone."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.objectives import Objective
from simulation.records import Floats, Ints


def deal(jobs: int, parts: int, rng: np.random.Generator) -> Ints:
    """(jobs,) the part of each job: at random, parts of equal size (or one more)."""
    return rng.permutation(np.arange(jobs) % parts)


def gpus_of_parts(gpus: Ints, parts: int) -> Ints:
    """(parts, types): an even part of each type; what is left over goes to the first parts, one each."""
    even, over = np.divmod(gpus, parts)
    return even + (np.arange(parts)[:, None] < over)


def solve_in_parts(objective: Objective, demand: Demand, part: Ints, parts: int, split_above: float) -> Floats:
    """(jobs, types) union of the shares of all parts.

    part (jobs,): where each job is. A job that asks for more than `split_above` of a part's GPUs, of the type of which
    there are most, is split: it asks for an equal piece of its gang in this part and in as many of those after it as
    it needs, and has the mean of its shares there.
    """
    shares = np.zeros(demand.rate.shape)
    gpus = gpus_of_parts(demand.gpus, parts)
    wide = demand.gang / np.maximum(1e-9, split_above * demand.gpus.max(initial=1) / parts)
    pieces = np.clip(np.ceil(wide - 1e-9), 1, parts).astype(np.int64)
    for k in range(parts):
        here = np.flatnonzero((k - part) % parts < pieces)
        if len(here):
            own = demand.subset(here, gpus[k])
            count = pieces[here]
            own = own._replace(gang=own.gang / count, weight=own.weight / count)
            shares[here] += objective(own) / count[:, None]
    return shares
