from __future__ import annotations

import pytest

from planner.studies.models import Run
from planner.studies.runs.claim import run_claim, run_claim_next, run_heartbeat, run_release, runs_release_of
from planner.studies.runs.finish import run_finish
from tests.planner.studies.runs.conftest import DOCUMENT, state_of

pytestmark = pytest.mark.django_db


def test_a_claim_marks_the_run_and_its_holder(queued):
    run = queued()
    claim = run_claim(run.pk, "worker-1/7")
    run.refresh_from_db()
    assert (run.state, run.worker, run.attempt, run.token) == ("running", "worker-1/7", 1, claim.token)
    assert run.lease_until > run.started_at


def test_only_one_of_many_claims_succeeds(queued):
    run = queued()
    claims = [run_claim(run.pk, f"w/{i}") for i in range(5)]
    assert [c is not None for c in claims] == [True, False, False, False, False]


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_a_final_run_is_not_claimed(queued, state):
    run = queued(state=state)
    assert run_claim(run.pk, "w/1") is None
    assert state_of(run) == state


def test_a_run_that_is_being_cancelled_is_not_claimed(queued):
    assert run_claim(queued(cancel_requested=True).pk, "w/1") is None


def test_a_run_that_does_not_exist_is_not_claimed(queued):
    run = queued()
    Run.objects.filter(pk=run.pk).delete()
    assert run_claim(run.pk, "w/1") is None


def test_an_expired_lease_may_be_taken_over_and_the_first_holder_is_fenced_off(queued, expire):
    run = queued()
    first = run_claim(run.pk, "w/1")
    expire(run)
    second = run_claim(run.pk, "w/2")
    assert second is not None
    assert run_heartbeat(first, 0.5) is False
    assert run_finish(first, DOCUMENT, 1.0) is False
    assert run_finish(second, DOCUMENT, 1.0) is True
    assert Run.objects.get(pk=run.pk).attempt == 2


def test_a_heartbeat_extends_the_lease_and_tells_the_progress(queued, settings):
    run = queued()
    claim = run_claim(run.pk, "w/1")
    before = Run.objects.get(pk=run.pk).lease_until
    settings.RUN_LEASE_S *= 2
    assert run_heartbeat(claim, 0.25) is True
    run.refresh_from_db()
    assert run.progress == 0.25
    assert run.lease_until > before


def test_a_late_holder_keeps_its_run_while_nobody_else_took_it(queued, expire):
    run = queued()
    claim = run_claim(run.pk, "w/1")
    expire(run)
    assert run_heartbeat(claim, 0.1) is True
    assert run_claim(run.pk, "w/2") is None


def test_attempts_are_limited(queued, expire, settings):
    run = queued()
    for _ in range(settings.RUN_MAX_ATTEMPTS):
        assert run_claim(run.pk, "w/1") is not None
        expire(run)
    assert run_claim(run.pk, "w/1") is None


def test_a_known_answer_completes_the_run_instead_of_a_claim(queued):
    first, again = queued("same"), queued("same")
    Run.objects.filter(pk=again.pk).update(state="cancelled")
    run_finish(run_claim(first.pk, "w/1"), DOCUMENT, 1.0)
    Run.objects.filter(pk=again.pk).update(state="queued")
    assert run_claim(again.pk, "w/1") is None
    again.refresh_from_db()
    first.refresh_from_db()
    assert (again.state, again.attempt, again.result_id) == ("done", 0, first.result_id)


def test_a_question_that_is_being_answered_is_not_started_a_second_time(queued):
    first, twin, other_seed = queued("same"), queued("same"), queued("same", seed=1)
    claim = run_claim(first.pk, "w/1")
    assert run_claim(twin.pk, "w/2") is None
    assert run_claim(other_seed.pk, "w/2") is not None
    run_finish(claim, DOCUMENT, 1.0)
    assert state_of(twin) == "done"


def test_a_twin_is_claimed_when_the_first_one_is_gone(queued, expire):
    first, twin = queued("same"), queued("same")
    run_claim(first.pk, "w/1")
    expire(first)
    assert run_claim(twin.pk, "w/2") is not None


def test_the_longest_waiting_run_is_next(queued):
    first, second = queued("a"), queued("b")
    assert run_claim_next("w/1").run_id == first.pk
    assert run_claim_next("w/1").run_id == second.pk
    assert run_claim_next("w/1") is None


def test_a_run_handed_back_waits_again_and_lost_no_attempt(queued):
    run = queued()
    claim = run_claim(run.pk, "w/1")
    assert run_release(claim) is True
    run.refresh_from_db()
    assert (run.state, run.attempt, run.token, run.enqueued_at) == ("queued", 0, None, None)
    assert run_finish(claim, DOCUMENT, 1.0) is False


def test_a_worker_hands_back_its_own_runs_only(queued):
    mine, other = queued("a"), queued("b")
    run_claim(mine.pk, "worker-1/5")
    run_claim(other.pk, "worker-12/5")
    assert runs_release_of("worker-1") == 1
    assert (state_of(mine), state_of(other)) == ("queued", "running")
