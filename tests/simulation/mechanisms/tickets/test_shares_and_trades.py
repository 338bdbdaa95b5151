"""Shares go by tickets; trades leave both sides better off, nobody below its share, and all GPUs where they were."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.tickets.shares import Wants, fair_shares, poured
from simulation.mechanisms.tickets.trading import traded
from simulation.records import Floats

SLOW, FAST = 0, 1


def much(users: int) -> Wants:
    """Users with more jobs than there are GPUs."""
    return Wants(np.full(users, 1000.0), np.full((users, 2), 1000.0))


def worth(share: Floats, gain: list[float]) -> Floats:
    """(users,) in slow GPUs."""
    found: Floats = share[:, SLOW] + np.array(gain) * share[:, FAST]
    return found


def fair(users: int, gpus: float) -> Floats:
    return fair_shares(np.ones(users), much(users), np.array([gpus, gpus]), [FAST, SLOW])


def test_what_one_cannot_use_is_split_between_the_others() -> None:
    assert poured(np.ones(3), np.array([100.0, 100.0, 2.0]), 8.0).tolist() == [3.0, 3.0, 2.0]
    assert poured(np.ones(2), np.array([1.0, 2.0]), 8.0).tolist() == [1.0, 2.0]
    assert poured(np.array([3.0, 1.0]), np.array([100.0, 100.0]), 8.0).tolist() == [6.0, 2.0]
    assert poured(np.array([0.0, 1.0]), np.array([100.0, 2.0]), 8.0).tolist() == [0.0, 2.0]


def test_nobody_has_more_in_all_than_its_jobs_can_hold_and_the_best_kind_comes_first() -> None:
    wants = Wants(np.array([2.0, 50.0]), np.array([[2.0, 2.0], [50.0, 50.0]]))
    share = fair_shares(np.ones(2), wants, np.array([8.0, 8.0]), [FAST, SLOW])
    assert share.tolist() == [[0.0, 2.0], [8.0, 6.0]]


def test_three_users_with_gains_of_1_2_and_2_and_5() -> None:
    gain = [1.2, 2.0, 5.0]
    before = fair(3, 6.0)
    after = traded(before, much(3), np.array(gain), FAST, SLOW)
    assert worth(before, gain) == pytest.approx([4.4, 6.0, 12.0])
    assert worth(after, gain) == pytest.approx([5.2, 6.8, 15.0])
    assert after.sum(axis=0) == pytest.approx([6.0, 6.0])


def test_of_two_users_the_price_is_the_gain_of_the_seller() -> None:
    gain = [1.2, 5.0]
    after = traded(fair(2, 4.0), much(2), np.array(gain), FAST, SLOW)
    assert worth(after, gain) == pytest.approx([4.4, 55 / 3])


def test_equal_gains_are_no_reason_to_trade() -> None:
    share = fair(3, 6.0)
    assert (traded(share, much(3), np.full(3, 2.0), FAST, SLOW) == share).all()


@pytest.mark.parametrize("seed", range(40))
def test_both_sides_gain_and_nobody_falls_below_its_share(seed: int) -> None:
    """Whatever the tickets and the gains, and however few jobs some users have."""
    rng = np.random.default_rng(seed)
    users = int(rng.integers(1, 8))
    gain = rng.uniform(0.5, 8.0, users)
    on = rng.integers(0, 12, (users, 2)).astype(float)
    wants = Wants(np.maximum(on.max(axis=1), on.sum(axis=1) * rng.uniform(0.5, 1.0, users)), on)
    before = fair_shares(rng.uniform(0.1, 3.0, users), wants, rng.integers(1, 20, 2).astype(float), [FAST, SLOW])
    after = traded(before, wants, gain, FAST, SLOW)
    assert (worth(after, gain.tolist()) >= worth(before, gain.tolist()) - 1e-9).all()
    assert after.sum(axis=0) == pytest.approx(before.sum(axis=0))
    assert (after >= -1e-12).all()
    assert (after <= np.maximum(before, on) + 1e-9).all()
    assert (after.sum(axis=1) <= np.maximum(before.sum(axis=1), wants.total) + 1e-9).all()
    moved = np.flatnonzero(np.abs(after - before).max(axis=1) > 1e-6)
    if len(moved):
        assert worth(after, gain.tolist()).sum() > worth(before, gain.tolist()).sum()
