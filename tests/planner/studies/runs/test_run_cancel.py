from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from planner.accounts.models import AuditEntry, Role
from planner.studies.models import Run
from planner.studies.runs import run_cancel, run_retry, study_cancel
from planner.studies.runs.claim import run_claim
from planner.studies.runs.finish import run_fail, run_finish
from tests.planner.studies.runs.conftest import DOCUMENT, state_of

pytestmark = pytest.mark.django_db


def test_a_waiting_run_is_cancelled_at_once(queued, owner):
    run = queued()
    assert run_cancel(run=run, user=owner) is True
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert run.finished_at is not None
    assert AuditEntry.objects.filter(action="run.cancel", user=owner).count() == 1


def test_a_running_run_is_asked_to_stop(queued, owner):
    run = queued()
    run_claim(run.pk, "w/1")
    assert run_cancel(run=run, user=owner) is True
    run.refresh_from_db()
    assert (run.state, run.cancel_requested, run.finished_at) == ("running", True, None)


def test_an_ended_run_cannot_be_cancelled(queued, owner):
    run = queued()
    run_finish(run_claim(run.pk, "w/1"), DOCUMENT, 1.0)
    assert run_cancel(run=run, user=owner) is False
    assert state_of(run) == "done"


def test_a_study_is_cancelled_as_a_whole(queued, owner):
    run = queued("a")
    study = run.scenario.study
    others = [Run.objects.create(scenario=run.scenario, seed=seed) for seed in (1, 2)]
    stranger = queued("b")
    run_claim(others[0].pk, "w/1")
    run_finish(run_claim(others[1].pk, "w/1"), DOCUMENT, 1.0)
    assert study_cancel(study=study, user=owner) == 2
    assert [state_of(r) for r in (run, *others, stranger)] == ["cancelled", "running", "done", "queued"]


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_run_that_ended_badly_can_be_asked_for_anew(queued, owner, state):
    run = queued(state=state, attempt=5, reason="it broke", cancel_requested=True)
    assert run_retry(run=run, user=owner) is True
    run.refresh_from_db()
    assert (run.state, run.attempt, run.reason, run.cancel_requested) == ("queued", 0, "", False)
    assert run_claim(run.pk, "w/1") is not None


def test_a_run_that_waits_or_is_done_is_not_retried(queued, owner):
    run = queued()
    assert run_retry(run=run, user=owner) is False
    run_finish(run_claim(run.pk, "w/1"), DOCUMENT, 1.0)
    assert run_retry(run=run, user=owner) is False


def test_a_retry_takes_an_answer_that_is_known_by_now(queued, owner):
    failed, other = queued("same"), queued("same")
    run_fail(run_claim(failed.pk, "w/1"), "broke")
    run_finish(run_claim(other.pk, "w/1"), DOCUMENT, 1.0)
    run_retry(run=failed, user=owner)
    assert state_of(failed) == "done"


@pytest.mark.parametrize("act", [run_cancel, run_retry])
def test_a_reviewer_may_not_and_a_stranger_finds_nothing(queued, member, person, act):
    run = queued()
    with pytest.raises(PermissionDenied):
        act(run=run, user=member(Role.REVIEWER))
    with pytest.raises(Http404):
        act(run=run, user=person("stranger"))
    with pytest.raises(Http404):
        study_cancel(study=run.scenario.study, user=person("another"))
    assert state_of(run) == "queued"
