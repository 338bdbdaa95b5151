from __future__ import annotations

import logging

import pytest

from planner.studies.models import Result, Run
from planner.studies.runs.claim import run_claim
from planner.studies.runs.finish import run_fail, run_finish, run_stopped
from planner.studies.runs.reaper import runs_reap
from simulation.scenario import digest_of
from tests.planner.studies.runs.conftest import DOCUMENT, state_of

pytestmark = pytest.mark.django_db


def test_the_result_is_stored_with_its_digest(queued):
    run = queued("d1", seed=3)
    assert run_finish(run_claim(run.pk, "w/1"), DOCUMENT, 1.5) is True
    run.refresh_from_db()
    assert (run.state, run.progress, run.lease_until) == ("done", 1.0, None)
    assert run.finished_at >= run.started_at
    stored = run.result
    assert (stored.scenario_digest, stored.seed, stored.compute_s) == ("d1", 3, 1.5)
    assert (stored.document, stored.metrics, stored.sha256) == (DOCUMENT, DOCUMENT["metrics"], digest_of(DOCUMENT))


def test_a_second_finish_of_the_same_claim_stores_nothing(queued):
    claim = run_claim(queued().pk, "w/1")
    assert run_finish(claim, DOCUMENT, 1.0) is True
    assert run_finish(claim, {**DOCUMENT, "engine": "other"}, 1.0) is False
    assert Result.objects.get().document == DOCUMENT


def test_one_question_has_one_result_whoever_answers_it(queued, expire):
    first, second = queued("same"), queued("same")
    slow = run_claim(first.pk, "w/1")
    expire(first)
    quick = run_claim(second.pk, "w/2")
    assert run_finish(quick, DOCUMENT, 1.0)
    assert run_finish(slow, DOCUMENT, 9.0)
    assert Result.objects.count() == 1
    assert Run.objects.filter(result=Result.objects.get(), state="done").count() == 2


def test_two_different_answers_to_one_question_are_reported(queued, expire, caplog):
    first, second = queued("same"), queued("same")
    slow = run_claim(first.pk, "w/1")
    expire(first)
    run_finish(run_claim(second.pk, "w/2"), DOCUMENT, 1.0)
    with caplog.at_level(logging.ERROR):
        run_finish(slow, {**DOCUMENT, "engine": "other"}, 1.0)
    assert "two results" in caplog.text
    assert Result.objects.get().document == DOCUMENT


def test_nothing_is_stored_for_a_run_that_is_cancelled_as_it_ends(queued):
    run = queued()
    claim = run_claim(run.pk, "w/1")
    Run.objects.filter(pk=run.pk).update(cancel_requested=True)
    assert run_finish(claim, DOCUMENT, 1.0) is False
    assert run_stopped(claim) is True
    assert (state_of(run), Result.objects.count()) == ("cancelled", 0)


def test_a_failure_keeps_its_reason(queued):
    run = queued()
    assert run_fail(run_claim(run.pk, "w/1"), "ValueError: job 7") is True
    run.refresh_from_db()
    assert (run.state, run.reason, run.result) == ("failed", "ValueError: job 7", None)


def test_no_end_replaces_another(queued, expire):
    run = queued()
    claim = run_claim(run.pk, "w/1")
    run_fail(claim, "first")
    expire(run)
    assert run_finish(claim, DOCUMENT, 1.0) is False
    assert run_stopped(claim) is False
    runs_reap()
    assert (state_of(run), Run.objects.get(pk=run.pk).reason) == ("failed", "first")
