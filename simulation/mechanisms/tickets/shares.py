"""Fair shares of each kind of GPU by tickets; what a user cannot use is spread over the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from simulation.records import Floats


class Wants(NamedTuple):
    """GPUs that the jobs of each user would hold, if they could."""

    total: Floats  # (users,)
    on: Floats  # (users, kinds) of one kind, by those jobs that can use it


def fair_shares(tickets: Floats, wants: Wants, gpus: Floats, order: Iterable[int]) -> Floats:
    """(users, kinds) GPUs: each kind of `gpus` (kinds,) by `tickets` (users,), taken in `order`, the best first.

    A user has no more in all than its jobs can hold.
    """
    share, left = np.zeros(wants.on.shape), wants.total.copy()
    for kind in order:
        share[:, kind] = poured(tickets, np.minimum(wants.on[:, kind], left), float(gpus[kind]))
        left -= share[:, kind]
    return share


def poured(tickets: Floats, most: Floats, gpus: float) -> Floats:
    """(users,) parts of `gpus` in proportion to `tickets`, nobody above its `most`, until all or nobody is served."""
    share = np.zeros(len(most))
    rising = (tickets > 0) & (most > 0)
    while rising.any():
        level = (gpus - share.sum()) / tickets[rising].sum()
        full = rising & (most <= tickets * level)
        if not full.any():
            share[rising] = tickets[rising] * level
            break
        share[full] = most[full]
        rising &= ~full
    return share
