"""Prediction from finished jobs: the most alike first, and never from those that have not finished."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulation.engine.state import FINISHED, make_state
from simulation.engine.view import InformationError, Regime, View
from simulation.mechanisms.prediction.history import Kind, RunTimes
from simulation.run import run_records
from simulation.scenario import Overheads
from simulation.world.build import build_world
from tests.simulation.building import pool, table, training


def test_nothing_is_expected_before_anything_has_finished() -> None:
    assert math.isnan(RunTimes().expected_s(Kind(0, 0, 1)))


def test_the_most_alike_that_have_finished_count() -> None:
    history = RunTimes()
    history.learn(Kind(user=1, name=1, gang=1), 10.0)
    history.learn(Kind(user=1, name=1, gang=1), 30.0)
    history.learn(Kind(user=1, name=1, gang=8), 100.0)
    history.learn(Kind(user=2, name=2, gang=1), 1000.0)
    assert history.expected_s(Kind(1, 1, 1)) == 20.0  # user, name and gang
    assert history.expected_s(Kind(1, 1, 4)) == pytest.approx(140 / 3)  # user and name
    assert history.expected_s(Kind(3, 2, 1)) == 1000.0  # name
    assert history.expected_s(Kind(1, 9, 1)) == pytest.approx(140 / 3)  # user
    assert history.expected_s(Kind(9, 9, 1)) == 285.0  # anyone


def test_one_job_alike_says_nothing_of_the_spread() -> None:
    history = RunTimes()
    assert history.interval_s(Kind(1, 1, 1)) == (0.0, math.inf)
    history.learn(Kind(1, 1, 1), 10.0)
    assert history.interval_s(Kind(1, 1, 1)) == (0.0, math.inf)
    history.learn(Kind(1, 1, 1), 10.0)
    assert history.interval_s(Kind(1, 1, 1)) == pytest.approx((10.0, 10.0))


def test_the_interval_of_two_by_hand() -> None:
    """Logarithms 0 and 2: mean 1, s = sqrt(2), one degree of freedom, t = 12.706, and sqrt(3 / 2) for the next job."""
    history = RunTimes()
    for run_s in (1.0, math.e**2):
        history.learn(Kind(1, 1, 1), run_s)
    reach = 12.7062 * math.sqrt(2) * math.sqrt(1.5)
    assert history.interval_s(Kind(1, 1, 1)) == pytest.approx((math.exp(1 - reach), math.exp(1 + reach)), rel=1e-3)


def test_the_interval_covers_the_next_job_as_often_as_it_says() -> None:
    rng, covered = np.random.default_rng(5), 0
    for _ in range(1000):
        history = RunTimes()
        *past_s, next_s = rng.lognormal(7.0, 1.5, 8).tolist()
        for run_s in past_s:
            history.learn(Kind(1, 1, 1), run_s)
        low_s, high_s = history.interval_s(Kind(1, 1, 1))
        covered += low_s <= next_s <= high_s
    assert 0.93 < covered / 1000 < 0.97


def test_a_job_of_a_name_that_was_short_overtakes() -> None:
    jobs = table((0, 10, 1), (0, 500, 1), (600, 100, 1), (601, 500, 1), (602, 10, 1))
    named = jobs.model_copy(update={"user": ["u"] * 5, "name": ["short", "long", "other", "long", "short"]})
    records = run_records(training(named, "helios", [pool(1, 1)]))
    starts_s = dict(zip(records.jobs.id, records.jobs.first_start_s.tolist(), strict=True))
    assert starts_s["4"] == 700.0
    assert starts_s["3"] == 710.0


def view_of(regime: Regime) -> View:
    world = build_world(training(table((0, 10, 1), (0, 20, 2))), 0)
    view = View(world, make_state(world, Overheads()), regime, np.ones(1))
    view.ledger.phase[0] = FINISHED
    return view


def test_history_shows_finished_jobs_alone() -> None:
    assert view_of(Regime.HISTORY).finished_s(np.array([0])).tolist() == [10.0]
    with pytest.raises(InformationError, match="history ends"):
        view_of(Regime.HISTORY).finished_s(np.array([0, 1]))
    with pytest.raises(InformationError, match="hidden from a policy that is blind"):
        view_of(Regime.BLIND).finished_s(np.array([0]))


def test_a_table_without_names_keeps_its_form() -> None:
    """Nothing is added to documents, and so to digests, of tables that say nothing of names."""
    jobs = table((0, 10, 1))
    assert "name" not in jobs.model_dump(mode="json")
    assert jobs.model_copy(update={"name": ["a"]}).model_dump(mode="json")["name"] == ["a"]
