"""Iterations left by the losses so far: from the curve where there is one, else all that were asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.engine.view import Regime
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.mechanisms.prediction.learning import Expected
from simulation.mechanisms.prediction.progress import Progress
from simulation.scenario import Scenario, Workload
from tests.simulation.building import pool, table, training
from tests.simulation.engine.scripted import Scripted, loop_of, start


def job(stop: EarlyStop | None, noise: float = 0.0) -> Scenario:
    """1 / (0.1 k + 0.5) + 0.2, 100 iterations of 10 s."""
    curve = LossCurve(
        name="l", family="inverse", parameters={"a": 0.1, "b": 0.5, "c": 0.2}, iterations=100, noise=noise, stop=stop
    )
    given = training(table(), pools=[pool()])
    return given.model_copy(update={"workload": Workload(jobs=table((0, 1000, 1), loss=["l"]), losses=[curve])})


def left(at_s: float, **more: Any) -> Expected:
    """What is expected after so many seconds."""
    loop = loop_of(job(**more), Scripted({0.0: [start(0, 1)], at_s: []}))
    loop.view.regime = Regime.PROFILE
    loop.open()
    loop.go_on(at_s)
    return Progress(("inverse",), 1.0).part_left(loop.view, 0)


def test_a_target_is_reached_where_the_curve_says() -> None:
    """0.7 is reached after 15 iterations; 10 of 100 are done: 5 of 90 are left."""
    expected = left(105.0, stop=EarlyStop(target=0.7 + 1e-9))
    assert expected == pytest.approx([5 / 90] * 3, abs=1.5 / 90)


def test_patience_is_counted_from_the_last_gain_expected() -> None:
    """The fall over 10 iterations is below 0.05 after 31, and 10 more pass."""
    fall = [1 / (0.1 * k + 0.5) - 1 / (0.1 * (k + 10) + 0.5) for k in range(1, 60)]
    last = int(np.argmax(np.array(fall) <= 0.05)) + 1
    expected = left(205.0, stop=EarlyStop(patience=10, least_gain=0.05))
    assert expected.value == pytest.approx((last + 10 - 20) / 80, abs=1.5 / 80)


def test_without_a_rule_all_iterations_are_to_be_done() -> None:
    assert left(505.0, stop=None) == (1.0, 1.0, 1.0)


def test_a_young_job_is_expected_to_do_them_all_and_may_end_at_once() -> None:
    assert left(35.0, stop=EarlyStop(target=0.6)) == (1.0, 1 / 97, 1.0)


def test_a_target_never_reached_is_no_more_than_what_was_asked_for() -> None:
    assert left(505.0, stop=EarlyStop(target=0.1)) == (1.0, 1.0, 1.0)


def test_noise_leaves_an_interval_around_what_is_expected() -> None:
    expected = left(205.0, stop=EarlyStop(target=0.4), noise=0.01)
    assert expected.low < expected.value < expected.high
    assert expected.low <= (45 - 20) / 80 <= expected.high
