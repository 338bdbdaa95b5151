"""Trades of fast GPUs for more of the slow ones, between users whose jobs gain differently from fast ones.

The price of a fast GPU, in slow ones, is the gain of the user next to the buyer (a second price): more than the seller
would get out of it, and no more than the buyer does, so that nobody falls below its fair share.
"""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.tickets.shares import Wants
from simulation.records import Floats

LEAST_GPUS = 1e-9  # that are worth a trade


def traded(share: Floats, wants: Wants, gain: Floats, fast: int, slow: int) -> Floats:
    """(users, kinds) shares after all trades between two kinds.

    gain (users,): rate on a fast GPU over that on a slow one. Who has most of it buys from who has least, among those
    that hold some of both kinds, as long as the seller can use what it is paid, and the buyer what it gets.
    """
    share = share.copy()
    while True:
        pair = _next_pair(share, wants, gain, fast, slow)
        if pair is None:
            return share
        seller, buyer, price = pair
        sold = _amount(share, wants, seller, buyer, price, fast, slow)
        share[seller] += _swapped(share.shape[1], -sold, sold * price, fast, slow)
        share[buyer] += _swapped(share.shape[1], sold, -sold * price, fast, slow)


def _next_pair(share: Floats, wants: Wants, gain: Floats, fast: int, slow: int) -> tuple[int, int, float] | None:
    """Seller, buyer and price of a trade that can be made; None: there is none left."""
    among = np.flatnonzero((share[:, [fast, slow]] > LEAST_GPUS).all(axis=1) & (gain > 0))
    ranked = among[np.argsort(gain[among], kind="stable")].tolist()
    if len(ranked) < 2:
        return None
    buyer, price = ranked[-1], float(gain[ranked[-2]])
    for seller in ranked[:-1]:
        if gain[seller] < gain[buyer] and _amount(share, wants, seller, buyer, price, fast, slow) > LEAST_GPUS:
            return seller, buyer, price
    return None


def _amount(share: Floats, wants: Wants, seller: int, buyer: int, price: float, fast: int, slow: int) -> float:
    """Fast GPUs that change hands."""
    most = min(
        share[seller, fast],
        share[buyer, slow] / price,
        wants.on[buyer, fast] - share[buyer, fast],
        (wants.on[seller, slow] - share[seller, slow]) / price,
    )
    if price > 1:
        most = min(most, (wants.total[seller] - share[seller].sum()) / (price - 1))
    return float(most)


def _swapped(kinds: int, more_fast: float, more_slow: float, fast: int, slow: int) -> Floats:
    change = np.zeros(kinds)
    change[fast], change[slow] = more_fast, more_slow
    return change
