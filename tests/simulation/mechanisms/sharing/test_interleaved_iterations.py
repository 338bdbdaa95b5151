"""Seconds of an interleaved iteration, against the phases written out and against bounds that no order can beat."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from simulation.mechanisms.sharing.interleaving import Interleaving, cycle_s, efficiency, offsets
from simulation.records import Floats

# storage, CPU, GPU, network: each job spends 70 % of a second on one of them
BOUND = np.full((4, 4), 0.1) + 0.6 * np.eye(4)
INFLATION = (1.015, 1.310, 1.478, 1.350)


def by_hand(stages_s: Floats) -> list[float]:
    """Cycle of every order with empty slots: phase by phase, as a schedule would be drawn."""
    jobs, k = stages_s.shape
    slots = [*range(jobs), *[-1] * (k - jobs)]
    cycles = []
    for order in set(permutations(slots)):
        phases = [
            max((stages_s[job, (i - m) % k] for m, job in enumerate(order) if job >= 0), default=0.0) for i in range(k)
        ]
        cycles.append(float(sum(phases)))
    return cycles


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("jobs", [1, 2, 3, 4])
def test_the_cycle_is_the_least_over_every_order(seed: int, jobs: int) -> None:
    stages_s = np.random.default_rng(seed).exponential(1.0, (jobs, 4))
    assert cycle_s(stages_s) == pytest.approx(min(by_hand(stages_s)))


def test_every_order_is_tried_once_but_for_turning() -> None:
    assert [len(offsets(jobs, 4)) for jobs in (1, 2, 3, 4)] == [1, 3, 6, 6]
    with pytest.raises(ValueError, match="5 jobs on 4 resources, expected 1 to 4"):
        offsets(5, 4)


def test_alone_it_is_the_sum_of_the_stages() -> None:
    assert cycle_s(np.array([[0.1, 0.2, 0.3, 0.4]])) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(20))
def test_no_order_beats_the_longest_job_nor_the_busiest_resource(seed: int) -> None:
    stages_s = np.random.default_rng(seed).exponential(1.0, (4, 4))
    cycle = cycle_s(stages_s)
    assert cycle >= max(stages_s.sum(axis=1).max(), stages_s.sum(axis=0).max()) - 1e-12
    assert cycle <= stages_s.sum() + 1e-12
    assert 0 < efficiency(stages_s) <= 1 + 1e-12


def test_jobs_of_unlike_bottlenecks_fit_into_each_other() -> None:
    """Phase by phase in the best order all four are in their long stage at once."""
    assert cycle_s(BOUND) == pytest.approx(0.7 + 3 * 0.1)
    assert efficiency(BOUND) == pytest.approx(1.0)
    assert max(by_hand(BOUND)) == pytest.approx(3 * 0.7 + 0.1)  # in the worst order only two meet


def test_alike_jobs_only_take_turns() -> None:
    """Four equal jobs: every phase holds every stage, so it lasts as long as the longest."""
    assert cycle_s(np.tile(BOUND[0], (4, 1))) == pytest.approx(4 * 0.7)


def test_a_group_pays_where_resources_differ() -> None:
    law = Interleaving(BOUND, INFLATION)
    assert law.iteration_s((0,)) == pytest.approx(1.015)
    assert law.iteration_s((0, 1, 2, 3)) == law.iteration_s((3, 1, 0, 2)) == pytest.approx(1.350)
    assert law.pays((0, 1))
    assert law.pays((0, 1, 2, 3))
    assert not law.pays((0, 0))  # 1.6 x 1.31 against 2 x 1.015
