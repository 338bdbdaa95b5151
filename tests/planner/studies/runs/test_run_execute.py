from __future__ import annotations

from uuid import uuid4

import pytest

from planner.studies.models import Result, Run
from planner.studies.runs import execution
from planner.studies.runs.claim import run_claim
from planner.studies.runs.execution import run_execute, run_execute_next
from planner.studies.tasks import execute
from tests.planner.studies.runs.conftest import DOCUMENT, state_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def engine(monkeypatch):
    """Puts a function in place of the engine."""
    return lambda function: monkeypatch.setattr(execution, "simulated", function)


@pytest.fixture(autouse=True)
def _quick_ticks(settings):
    settings.RUN_CANCEL_CHECK_S = 0.02
    settings.RUN_HEARTBEAT_S = 0.05


def wait_for_stop(claim, pulse):
    """An engine that works until it is asked to stop."""
    while not pulse.stop_asked():
        pulse.report(0.5)
        pulse._ended.wait(0.01)
    raise RuntimeError("stopped before the end")


def test_a_run_ends_with_its_result(queued, engine):
    run = queued()
    engine(lambda claim, pulse: DOCUMENT)
    assert run_execute(run.pk, "w/1") is True
    assert state_of(run) == "done"
    assert Result.objects.get().document == DOCUMENT


def test_an_exception_of_the_engine_is_the_reason_of_the_failure(queued, engine):
    run = queued()

    def broken(claim, pulse):
        raise ValueError("job 7 asks for 9 GPUs; the largest pool has 8")

    engine(broken)
    run_execute(run.pk, "w/1")
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "ValueError: job 7 asks for 9 GPUs; the largest pool has 8")


def test_a_cancellation_reaches_a_running_engine(queued, engine):
    run = queued()

    def cancelled_soon(claim, pulse):
        Run.objects.filter(pk=run.pk).update(cancel_requested=True)
        wait_for_stop(claim, pulse)

    engine(cancelled_soon)
    run_execute(run.pk, "w/1")
    assert state_of(run) == "cancelled"
    assert Result.objects.count() == 0


def test_a_cancellation_in_the_last_moment_wins_over_the_result(queued, engine):
    run = queued()

    def just_done(claim, pulse):
        Run.objects.filter(pk=run.pk).update(cancel_requested=True)
        return DOCUMENT

    engine(just_done)
    run_execute(run.pk, "w/1")
    assert state_of(run) == "cancelled"
    assert Result.objects.count() == 0


def test_a_worker_that_lost_its_run_stops_and_changes_nothing(queued, engine, expire):
    run = queued()

    def taken_over(claim, pulse):
        expire(run)
        assert run_claim(run.pk, "other/1") is not None
        wait_for_stop(claim, pulse)

    engine(taken_over)
    run_execute(run.pk, "w/1")
    run.refresh_from_db()
    assert (run.state, run.worker) == ("running", "other/1")


def test_the_heartbeat_tells_the_progress(queued, engine):
    run = queued()
    seen = []

    def half_way(claim, pulse):
        pulse.report(0.5)
        while not seen:
            seen.extend(Run.objects.filter(pk=run.pk, progress=0.5))
            pulse._ended.wait(0.02)
        return DOCUMENT

    engine(half_way)
    run_execute(run.pk, "w/1")
    assert seen == [run]


def test_a_run_over_its_time_limit_fails_with_that_reason(queued, engine, settings):
    settings.RUN_TIME_LIMIT_S = 0.05
    run = queued()
    engine(wait_for_stop)
    run_execute(run.pk, "w/1")
    run.refresh_from_db()
    assert run.state == "failed"
    assert "Took longer" in run.reason


def test_a_run_that_needs_too_much_memory_fails_and_its_worker_lives(queued, engine, settings):
    settings.RUN_MEMORY_LIMIT_BYTES = 3 * 1024**3
    big, small = queued("big"), queued("small")
    engine(lambda claim, pulse: bytearray(4 * 1024**3) if claim.digest == "big" else DOCUMENT)
    assert run_execute_next("w/1")
    assert run_execute_next("w/1")
    big.refresh_from_db()
    assert (big.state, state_of(small)) == ("failed", "done")
    assert "memory" in big.reason


def test_a_worker_told_to_stop_hands_its_run_back(queued, engine):
    run = queued()

    def interrupted(claim, pulse):
        raise SystemExit

    engine(interrupted)
    with pytest.raises(SystemExit):
        run_execute(run.pk, "w/1")
    assert (state_of(run), Run.objects.get(pk=run.pk).attempt) == ("queued", 0)


def test_the_task_does_nothing_for_a_run_that_is_gone_or_taken(queued, engine):
    engine(lambda claim, pulse: pytest.fail("must not simulate"))
    run = queued()
    run_claim(run.pk, "other/1")
    assert execute.run(str(run.pk)) is None
    assert execute.run(str(uuid4())) is None
    assert Run.objects.get(pk=run.pk).worker == "other/1"


def test_no_run_waits_then_there_is_nothing_to_do(db):
    assert run_execute_next("w/1") is False
