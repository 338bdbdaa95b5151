"""Tuning: no GPU idles for want of cores or memory, and nobody falls below a share in proportion to GPUs."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.inputs.demand import Share
from simulation.mechanisms.inputs.tuning import Demand, Servers, most_demanding

FAIR = Share(3.0, 60.0)


def servers(nodes: int = 2, gpus: int = 8) -> Servers:
    """3 cores and 60 bytes a GPU."""
    return Servers(np.full(nodes, gpus), np.full(nodes, 3.0 * gpus), np.full(nodes, 60.0 * gpus))


def place(machine: Servers, demand: Demand, fall_back: bool = True) -> bool:
    return machine.place(demand, np.ones(len(machine.gpus), np.bool_), fall_back)


def per_gpu(machine: Servers, job: int) -> tuple[float, float]:
    return tuple(machine.held[job].per_gpu)  # type: ignore[return-value]


def test_hungry_jobs_take_what_modest_ones_leave() -> None:
    machine = servers(1)
    for job in range(8):
        cores = 5.0 if job < 4 else 1.0
        assert place(machine, Demand(job, 1, Share(cores, 30.0)))
    assert [per_gpu(machine, job)[0] for job in range(8)] == [5.0] * 4 + [1.0] * 4


def test_the_node_with_the_fewest_free_gpus_that_has_room_is_taken() -> None:
    machine = servers(3)
    machine.hold(Demand(90, 4, FAIR), [(1, 4)], FAIR)
    machine.hold(Demand(91, 6, FAIR), [(2, 6)], FAIR)
    assert place(machine, Demand(0, 2, Share(3.0, 60.0)))
    assert machine.held[0].pieces == [(2, 2)]
    assert place(machine, Demand(1, 2, Share(6.0, 60.0)))  # 12 cores: node 1 has exactly those
    assert machine.held[1].pieces == [(1, 2)]


def test_inputs_of_a_gang_that_is_spread_go_with_its_gpus() -> None:
    machine = servers(2)
    machine.hold(Demand(90, 5, FAIR), [(0, 5)], FAIR)
    machine.hold(Demand(91, 2, FAIR), [(1, 2)], FAIR)
    assert place(machine, Demand(0, 8, FAIR))
    assert machine.held[0].pieces == [(0, 3), (1, 5)]
    assert machine.inputs[0].tolist() == [0.0, 3.0]


def test_a_job_that_finds_too_little_gets_its_fair_share() -> None:
    machine = servers(1, gpus=4)
    assert place(machine, Demand(0, 1, Share(8.0, 60.0)))
    assert place(machine, Demand(1, 1, Share(8.0, 60.0)))
    assert per_gpu(machine, 1) == (3.0, 60.0)


def test_peers_beyond_their_share_give_back_one_at_a_time() -> None:
    """Single-node jobs first, the most cores a GPU first; whoever need not give keeps all."""
    machine = servers(1, gpus=4)  # 12 cores
    for job, cores in enumerate((3.5, 6.5, 2.0)):
        assert place(machine, Demand(job, 1, Share(cores, 60.0)))
    assert machine.inputs[0].tolist() == [0.0]
    assert place(machine, Demand(3, 1, Share(3.0, 60.0)))
    assert [per_gpu(machine, job)[0] for job in range(4)] == [3.5, 3.0, 2.0, 3.0]


def test_jobs_are_topped_up_when_others_have_left() -> None:
    machine = servers(1, gpus=4)
    machine.hold(Demand(0, 1, Share(6.0, 60.0)), [(0, 1)], FAIR)
    machine.hold(Demand(1, 2, Share(5.0, 60.0)), [(0, 2)], FAIR)
    machine.top_up()
    assert per_gpu(machine, 1) == (3.0, 60.0)  # 10 cores, 9 are there: all or nothing
    assert per_gpu(machine, 0) == (6.0, 60.0)


def test_only_the_nodes_asked_for_are_used() -> None:
    machine = servers(2, gpus=4)
    first = np.array([True, False])
    assert machine.place(Demand(0, 4, FAIR), first)
    assert not machine.place(Demand(1, 1, FAIR), first)


def test_without_falling_back_a_job_that_finds_too_little_is_skipped() -> None:
    """So GPUs idle: what is called greedy."""
    machine = servers(1, gpus=4)
    placed = [place(machine, Demand(job, 1, Share(8.0, 60.0)), fall_back=False) for job in range(4)]
    assert placed == [True, False, False, False]
    assert machine.gpus.tolist() == [3]


@pytest.mark.parametrize("seed", range(60))
def test_every_gpu_is_used_and_nothing_is_given_twice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    machine = Servers(np.array([8, 8, 4]), np.array([24.0, 32.0, 8.0]), np.array([500.0, 400.0, 100.0]))
    demands = [
        Demand(job, int(rng.choice([1, 1, 2, 4, 8])), Share(float(rng.uniform(0.5, 12)), float(rng.uniform(5, 250))))
        for job in range(40)
    ]
    taken, room = [], 20
    for demand in demands:
        if demand.gpus <= room:
            taken.append(demand)
            room -= demand.gpus
    for demand in sorted(taken, key=most_demanding):
        assert place(machine, demand)
    machine.top_up()
    assert machine.gpus.sum() == room
    assert (machine.inputs >= -1e-6).all()
    for holding in machine.held.values():
        least = holding.demand.per_gpu.at_most(machine.fair(holding.pieces))
        assert not least.exceeds(Share(holding.per_gpu.cores + 1e-9, holding.per_gpu.memory_bytes + 1e-9))
        assert sum(gpus for _, gpus in holding.pieces) == holding.demand.gpus
