"""The sharing guarantee: a job starts exactly when it would in a cluster made of its tenant's cells alone."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.cells.buddies import BuddyCells, Cell
from simulation.mechanisms.cells.reservations import Reservation, Taken, cells_of

SIZES = (1, 2, 4, 8)


@pytest.mark.parametrize(("gpus", "cells"), [(8, [0, 0, 0, 1]), (13, [1, 0, 1, 1]), (3, [1, 1, 0, 0]), (0, [0] * 4)])
def test_a_share_becomes_cells_as_large_as_possible(gpus: int, cells: list[int]) -> None:
    assert cells_of(gpus, SIZES) == cells


@pytest.mark.parametrize("seed", range(50))
def test_shares_that_sum_to_the_cluster_always_fit_as_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gpus = np.floor(rng.dirichlet(np.ones(5)) * 48).astype(int)
    owed = np.sum([cells_of(int(g), SIZES) for g in gpus], axis=0)
    assert BuddyCells(6, SIZES).spare(owed.tolist()) is not None


def test_small_jobs_of_one_tenant_leave_the_node_of_the_other_whole() -> None:
    """Two nodes of 16, a tenant has one each: sixteen single GPUs stay on one node, the gang of 16 starts."""
    chain = BuddyCells(2, (1, 2, 4, 8, 16))
    first, second = (Reservation(chain, [0, 0, 0, 0, 1]) for _ in range(2))
    singles = [first.take(1) for _ in range(16)]
    assert {taken.cells[0].start // 16 for taken in singles if taken} == {0}
    assert first.take(1) is None
    gang = second.take(16)
    assert gang is not None
    assert gang.cells == [Cell(4, 16)]


def test_a_cell_is_bound_while_a_job_runs_in_it() -> None:
    chain = BuddyCells(2, SIZES)
    tenant = Reservation(chain, [0, 0, 0, 1])
    assert tenant.unbound() == [0, 0, 0, 1]
    one, two = tenant.take(1), tenant.take(2)
    assert one is not None
    assert two is not None
    assert tenant.unbound() == [0, 0, 0, 0]
    tenant.give_back(one)
    assert tenant.unbound() == [0, 0, 0, 0]
    tenant.give_back(two)
    assert tenant.unbound() == [0, 0, 0, 1]
    assert chain.free_cells(3) == [Cell(3, 0), Cell(3, 8)]


def test_a_gang_that_finds_no_room_changes_nothing() -> None:
    chain = BuddyCells(2, SIZES)
    tenant = Reservation(chain, [0, 0, 1, 1])
    assert tenant.take(16) is None
    assert tenant.unbound() == [0, 0, 1, 1]
    assert len(chain.free_cells(3)) == 2


def test_a_gang_wider_than_a_node_takes_whole_nodes_and_a_part() -> None:
    tenant = Reservation(BuddyCells(3, SIZES), [0, 0, 0, 3])
    taken = tenant.take(19)
    assert taken is not None
    assert [cell.level for cell in taken.cells] == [3, 3, 2]
    assert len({cell.start for cell in taken.cells}) == 3


Trace = list[tuple[int, int, int]]  # tenant, GPUs, how many turns it runs


def turns_until_start(trace: Trace, tenants: list[int], owed: list[list[int]]) -> list[int]:
    """Start of each job of the `tenants`, first come first served within each; one job comes a turn."""
    chain = BuddyCells(6, SIZES)
    reservations = {tenant: Reservation(chain, owed[tenant]) for tenant in tenants}
    waiting: dict[int, list[int]] = {tenant: [] for tenant in tenants}
    running: list[tuple[int, int, Taken]] = []
    started = [-1] * len(trace)
    for turn in range(len(trace) + 400):
        for entry in [entry for entry in running if entry[0] == turn]:
            running.remove(entry)
            reservations[entry[1]].give_back(entry[2])
        if turn < len(trace) and trace[turn][0] in reservations:
            waiting[trace[turn][0]].append(turn)
        for tenant in tenants:
            while waiting[tenant]:
                job = waiting[tenant][0]
                taken = reservations[tenant].take(trace[job][1])
                if taken is None:
                    break
                started[job] = turn
                running.append((turn + trace[job][2], tenant, taken))
                waiting[tenant].pop(0)
        _safe(chain, list(reservations.values()))
    return [started[job] for job, (tenant, _, _) in enumerate(trace) if tenant in reservations]


def _safe(chain: BuddyCells, reservations: list[Reservation]) -> None:
    """At every level the free cells, after splits that are allowed, are at least those still owed."""
    owed = np.sum([reservation.unbound() for reservation in reservations], axis=0)
    assert chain.spare(owed.tolist()) is not None


@pytest.mark.parametrize("seed", range(25))
def test_a_job_starts_as_in_a_cluster_of_its_tenants_cells_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    owed = [[0, 1, 0, 2], [0, 0, 2, 1], [2, 0, 1, 1]]  # 18, 16 and 14 of 48 GPUs
    widest = [16, 8, 8]
    trace = []
    for _ in range(60):
        tenant = int(rng.integers(3))
        wide = [g for g in (1, 1, 2, 3, 4, 8, 16) if g <= widest[tenant]]
        trace.append((tenant, int(rng.choice(wide)), int(rng.integers(1, 12))))
    together = turns_until_start(trace, [0, 1, 2], owed)
    alone = {tenant: iter(turns_until_start(trace, [tenant], owed)) for tenant in range(3)}
    assert together == [next(alone[tenant]) for tenant, _, _ in trace]
    assert min(together) >= 0
