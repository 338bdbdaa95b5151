"""Who may share with whom: each of the conditions is needed, and scores say what mean speeds say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from simulation.mechanisms.sharing.partner import PartnerRule, Profiled
from simulation.mechanisms.sharing.scores import JUMBO, MEDIUM, TINY, sharing_scores

GIB = 2.0**30
MEMORY = 24 * GIB
RUNNING = Profiled(job=0, gpus=2, memory_bytes=10 * GIB, score=MEDIUM, size=100.0)
NEWCOMER = Profiled(job=1, gpus=2, memory_bytes=10 * GIB, score=MEDIUM, size=200.0)
RULE = PartnerRule()


def test_two_medium_jobs_that_fit_share() -> None:
    assert RULE.allows(NEWCOMER, RUNNING, MEMORY)


@pytest.mark.parametrize(
    "change",
    [
        {"gpus": 1},
        {"memory_bytes": 14 * GIB},  # exactly full is too much
        {"score": JUMBO},
        {"size": 200.1},
    ],
)
def test_one_broken_condition_is_enough_to_refuse(change: dict[str, float]) -> None:
    assert not RULE.allows(NEWCOMER._replace(**change), RUNNING, MEMORY)  # type: ignore[arg-type]


def test_wide_jobs_do_not_share() -> None:
    assert not RULE.allows(NEWCOMER._replace(gpus=16), RUNNING._replace(gpus=16), MEMORY)


def test_the_first_in_order_is_taken_not_the_best() -> None:
    jumbo, tiny = RUNNING._replace(job=5, score=JUMBO), RUNNING._replace(job=7, score=TINY)
    alone = [(jumbo, MEMORY), (RUNNING._replace(job=6), MEMORY), (tiny, MEMORY)]
    assert RULE.first(NEWCOMER, alone) == 6
    assert RULE.first(NEWCOMER, alone[:1]) is None
    assert RULE.first(NEWCOMER, []) is None


@pytest.mark.parametrize(("one", "other"), list(product((TINY, MEDIUM, JUMBO), repeat=2)))
def test_the_budget_is_a_sum(one: int, other: int) -> None:
    allowed = RULE.allows(NEWCOMER._replace(score=one), RUNNING._replace(score=other), MEMORY)
    assert allowed == (one + other <= 2)


def test_scores_are_read_off_mean_speeds() -> None:
    speeds = np.array(
        [
            [1.00, 0.98, 0.90],  # mean 0.96
            [0.99, 0.90, 0.81],  # 0.90
            [0.90, 0.81, 0.60],  # 0.77
        ]
    )
    assert sharing_scores(speeds).tolist() == [TINY, MEDIUM, JUMBO]
    assert sharing_scores(speeds, (0.5, 0.6)).tolist() == [TINY, TINY, TINY]


def test_on_a_threshold_the_milder_score_counts() -> None:
    assert sharing_scores(np.array([[0.95]])).tolist() == [TINY]
    assert sharing_scores(np.array([[0.85]])).tolist() == [MEDIUM]


def test_partners_that_do_not_fit_say_nothing() -> None:
    nan = np.nan
    assert sharing_scores(np.array([[nan, 1.0], [nan, nan]])).tolist() == [TINY, JUMBO]
