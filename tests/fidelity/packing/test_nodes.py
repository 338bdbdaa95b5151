"""What fits onto a node, and what is free afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.fidelity.packing.nodes import NO_GPU, Demands, Nodes, fits, make_nodes, take, tightest


def nodes(sizes: list[int], cpu: int = 8000, models: list[int] | None = None) -> Nodes:
    count = len(sizes)
    return make_nodes(
        np.full(count, cpu), np.full(count, 1000), np.array(sizes), np.array(models or [1] * count, np.int64)
    )


def demands(*rows: tuple[int, int, int, int, int]) -> Demands:
    """(cpu, memory, GPUs, milli of each, permitted models)."""
    return Demands(*np.array(rows, np.int64).T.copy())


def test_missing_gpus_are_never_given_out() -> None:
    n, d = nodes([2, 4]), demands((0, 0, 4, 1000, 0))
    assert n.gpu[0].tolist() == [1000, 1000, NO_GPU, NO_GPU]
    assert [fits(n, d, node, 0) for node in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("demand", "right"),
    [
        ((8000, 1000, 0, 0, 0), True),
        ((8001, 1000, 0, 0, 0), False),
        ((1, 1001, 0, 0, 0), False),
        ((1, 1, 1, 1000, 2), False),
        ((1, 1, 1, 1000, 3), True),
    ],
)
def test_each_resource_and_the_model_must_be_there(demand: tuple[int, int, int, int, int], right: bool) -> None:
    assert fits(nodes([2]), demands(demand), 0, 0) is right


def test_parts_share_a_gpu_and_whole_ones_do_not() -> None:
    n, d = nodes([2]), demands((1, 1, 1, 600, 0), (1, 1, 1, 400, 0), (1, 1, 2, 1000, 0), (1, 1, 1, 1000, 0))
    take(n, d, 0, 0, tightest(n, 0, 600))
    take(n, d, 0, 1, tightest(n, 0, 400))
    assert n.gpu[0].tolist() == [0, 1000]
    assert not fits(n, d, 0, 2)
    assert fits(n, d, 0, 3)
    take(n, d, 0, 3, -1)
    assert n.gpu[0].tolist() == [0, 0]
    assert (n.cpu[0], n.memory[0]) == (7997, 997)


def test_the_tightest_gpu_with_room_is_taken() -> None:
    n = nodes([3])
    n.gpu[0] = [900, 300, 500]
    assert tightest(n, 0, 400) == 2
    assert tightest(n, 0, 950) == -1
