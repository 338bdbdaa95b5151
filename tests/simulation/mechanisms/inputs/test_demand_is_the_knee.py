"""What a job asks for: the least inputs that are worth having, read off measured points."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.mechanisms.inputs.demand import Share, best_demand, speed_with

GB = 1e9
FAIR = Share(3.0, 62.5 * GB)
CORES = (1, 2, 3, 4, 5, 6, 9, 12, 24)
# relative throughput of ResNet-18 on a V100 by cores, and a tenth with too little memory (Synergy's tables)
BY_CORES = (0.37, 0.72, 1.0, 1.3, 1.53, 1.75, 2.4, 2.4, 2.4)
RESNET18 = np.array(
    [(c, 62.5 * GB, s) for c, s in zip(CORES, BY_CORES, strict=True)] + [(c, 20.83 * GB, 0.1) for c in CORES]
)
BERT = np.array([(c, 20.83 * GB, 1.0) for c in CORES])


def test_the_knee_of_published_curves() -> None:
    assert best_demand(RESNET18, FAIR, 0.02) == Share(9.0, 62.5 * GB)
    assert best_demand(BERT, FAIR, 0.02) == Share(1.0, 20.83 * GB)


def test_a_wider_tolerance_asks_for_less_but_never_for_less_speed_than_the_fair_share() -> None:
    assert best_demand(RESNET18, FAIR, 0.3) == Share(6.0, 62.5 * GB)
    assert best_demand(RESNET18, FAIR, 0.99) == Share(3.0, 62.5 * GB)


def test_the_best_point_within_the_inputs_counts() -> None:
    assert speed_with(RESNET18, Share(7.5, 100 * GB)) == 1.75
    assert speed_with(RESNET18, Share(100.0, 1000 * GB)) == 2.4
    assert speed_with(RESNET18, Share(24.0, 60 * GB)) == 0.1
    assert speed_with(RESNET18, Share(0.5, 100 * GB)) == 0.0


def test_who_was_never_measured_or_only_slower_wants_the_fair_share() -> None:
    assert best_demand(np.empty((0, 3)), FAIR, 0.02) == FAIR
    assert best_demand(np.array([[12.0, 10 * GB, 0.9]]), FAIR, 0.02) == FAIR


@pytest.mark.parametrize("seed", range(200))
def test_cut_back_to_a_fair_share_no_job_is_slower_than_with_it(seed: int) -> None:
    """Whatever the points: falling back in either input costs nothing that a proportional share would have given."""
    rng = np.random.default_rng(seed)
    points = np.stack([rng.uniform(0.5, 12, 12), rng.uniform(5, 100, 12), rng.uniform(0.2, 3.0, 12)], axis=1)
    fair = Share(float(rng.uniform(1, 12)), float(rng.uniform(10, 80)))
    wanted = best_demand(points, fair, float(rng.uniform(0, 0.3)))
    kept = wanted.at_most(fair)
    assert kept == fair or speed_with(points, kept) >= 1.0
    assert wanted == fair or speed_with(points, wanted) >= 1.0
