"""Which jobs share GPUs: no more than needed, only where it pays, and in the best pairing there is."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.sharing.grouping import Group, Member, candidates, group
from simulation.mechanisms.sharing.interleaving import Interleaving
from tests.simulation.mechanisms.sharing.pairings import heaviest

INFLATION = (1.015, 1.310, 1.478, 1.350)
BOUND = np.full((4, 4), 0.1) + 0.6 * np.eye(4)
LAW = Interleaving(BOUND, INFLATION)


def members(*gpus_and_kind: tuple[int, int]) -> list[Member]:
    return [Member(rank, 100 + rank, gpus, kind) for rank, (gpus, kind) in enumerate(gpus_and_kind)]


def jobs_of(groups: list[Group]) -> list[tuple[int, ...]]:
    return [tuple(member.job - 100 for member in one.members) for one in groups]


def test_below_full_load_everyone_runs_alone() -> None:
    chosen = members((1, 0), (1, 1), (2, 2), (4, 3))
    assert jobs_of(group(chosen, 8, LAW)) == [(0,), (1,), (2,), (3,)]


def test_merging_stops_as_soon_as_all_fit() -> None:
    """Five jobs on four GPUs: one pair is enough."""
    groups = group(members((1, 0), (1, 1), (1, 2), (1, 3), (1, 0)), 4, LAW)
    assert sorted(len(one.members) for one in groups) == [1, 1, 1, 2]


def test_four_of_unlike_bottlenecks_share_one_set() -> None:
    groups = group(members(*((2, kind) for kind in (0, 1, 2, 3))), 2, LAW)
    assert jobs_of(groups) == [(0, 1, 2, 3)]


def test_jobs_of_unequal_gangs_never_share() -> None:
    groups = group(members((1, 0), (2, 1), (1, 1), (2, 0), (1, 2), (4, 3)), 4, LAW)
    assert all(len({member.gpus for member in one.members}) == 1 for one in groups)
    assert sum(one.gpus for one in groups) <= 4


def test_alike_jobs_do_not_share_and_the_important_ones_run() -> None:
    """Nothing is gained by taking turns: the order of priority decides, as without sharing."""
    law = Interleaving(np.array([[0.9, 0.04, 0.03, 0.03]]), INFLATION)
    chosen = candidates(members(*[(1, 0)] * 12), 3, law.largest)
    assert len(chosen) == 12
    assert jobs_of(group(chosen, 3, law)) == [(0,), (1,), (2,)]


def test_a_job_is_admitted_beside_its_like_or_where_a_set_still_fits() -> None:
    ordered = members((4, 0), (2, 0), (1, 1), (2, 1), (4, 1), (4, 2), (4, 3), (4, 0), (1, 2))
    admitted = [member.rank for member in candidates(ordered, 6, 4)]
    assert admitted == [0, 1, 3, 4, 5, 6]  # 4 + 2 GPUs; the third gang finds no set, the fifth of four no place


def test_a_weight_asked_for_keeps_weak_pairs_apart() -> None:
    chosen = members((1, 0), (1, 0))
    law = Interleaving(BOUND, (1.0, 1.0, 1.0, 1.0))
    assert jobs_of(group(chosen, 1, law, least_weight=0.0)) == [(0, 1)]
    assert jobs_of(group(chosen, 1, law, least_weight=1.0)) == [(0,)]  # efficiency 2 / 6.4 against 1 x 2 / 4


def weight_of_pairs(groups: list[Group], law: Interleaving) -> float:
    return sum(law.efficiency(one.kinds) for one in groups if len(one.members) == 2)


@pytest.mark.parametrize("seed", range(20))
def test_pairs_are_a_matching_of_the_largest_weight(seed: int) -> None:
    """Ten jobs of six kinds on five GPUs: every one of them has to share."""
    rng = np.random.default_rng(seed)
    law = Interleaving(rng.dirichlet(np.full(4, 0.5), 6), (1.0, 1.0))
    kinds = rng.integers(0, 6, 10).tolist()
    groups = group(members(*((1, kind) for kind in kinds)), 5, law)
    weights = np.array([[law.efficiency((a, b)) for b in kinds] for a in kinds])
    assert weight_of_pairs(groups, law) == pytest.approx(heaviest(weights))


def test_of_alike_jobs_the_important_ones_are_paired_first() -> None:
    """One pair too many for the cluster: it is formed of the first of each kind."""
    groups = group(members((1, 0), (1, 0), (1, 1), (1, 1)), 3, LAW)
    assert sorted(jobs_of(groups)) == [(0, 2), (1,), (3,)]


@pytest.mark.parametrize("seed", range(10))
def test_groups_fit_and_hold_nobody_twice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    law = Interleaving(rng.dirichlet(np.ones(4), 6), INFLATION)
    ordered = members(*zip(rng.choice([1, 2, 4, 8], 60).tolist(), rng.integers(0, 6, 60).tolist(), strict=True))
    chosen = candidates(ordered, 32, law.largest)
    groups = group(chosen, 32, law)
    seen = [member.job for one in groups for member in one.members]
    assert len(seen) == len(set(seen))
    assert sum(one.gpus for one in groups) <= 32
    assert all(len(one.members) <= 4 for one in groups)
    assert all(len(one.members) == 1 or law.pays(one.kinds) for one in groups)
    assert [one.rank for one in groups] == sorted(one.rank for one in groups)
