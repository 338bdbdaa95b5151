from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from planner.studies.models import Run
from planner.studies.runs import reaper
from planner.studies.runs.claim import run_claim
from tests.planner.studies.runs.conftest import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bell(monkeypatch):
    """A broker that answers, and the runs that were rung."""
    rung = []
    monkeypatch.setattr(reaper, "messages_waiting", lambda: 0)
    monkeypatch.setattr(reaper, "ring", lambda ids: rung.extend(ids) or len(ids))
    return rung


def test_an_expired_lease_brings_the_run_back_and_rings(queued, expire, bell):
    run = queued()
    run_claim(run.pk, "w/1")
    expire(run)
    sweep = reaper.runs_reap()
    assert (sweep.requeued, sweep.rung) == (1, 1)
    run.refresh_from_db()
    assert (run.state, run.token, run.attempt) == ("queued", None, 1)
    assert bell == [run.pk]


def test_a_live_lease_is_left_alone(queued, bell):
    run = queued()
    run_claim(run.pk, "w/1")
    assert reaper.runs_reap() == reaper.Sweep(0, 0, 0, 0)
    assert state_of(run) == "running"


def test_it_gives_up_after_the_last_attempt(queued, expire, bell, settings):
    run = queued()
    for _ in range(settings.RUN_MAX_ATTEMPTS):
        run_claim(run.pk, "w/1")
        expire(run)
        sweep = reaper.runs_reap()
    assert sweep.gave_up == 1
    run.refresh_from_db()
    assert run.state == "failed"
    assert "after 5 attempts" in run.reason


def test_a_cancelled_run_whose_worker_is_gone_ends_cancelled(queued, expire, bell):
    run = queued()
    run_claim(run.pk, "w/1")
    expire(run)
    Run.objects.filter(pk=run.pk).update(cancel_requested=True)
    assert reaper.runs_reap().cancelled == 1
    assert state_of(run) == "cancelled"


def test_a_second_reaper_finds_nothing_left(queued, expire, bell):
    for digest in "abc":
        run = queued(digest)
        run_claim(run.pk, "w/1")
        expire(run)
    first, second = reaper.runs_reap(), reaper.runs_reap()
    assert (first.requeued, first.rung) == (3, 3)
    assert second == reaper.Sweep(0, 0, 0, 0)


def test_an_old_message_is_rung_again_once_a_period(queued, bell):
    fresh, old = queued("a"), queued("b")
    Run.objects.filter(pk=old.pk).update(enqueued_at=timezone.now() - timedelta(minutes=5))
    assert reaper.runs_reap().rung == 1
    assert reaper.runs_reap().rung == 0
    assert bell == [old.pk]
    assert fresh.pk not in bell


def test_a_backlog_is_not_sent_again_and_again(queued, bell, settings, monkeypatch):
    settings.RUN_RING_LIMIT = 3
    for n in range(5):
        Run.objects.filter(pk=queued(f"d{n}").pk).update(enqueued_at=None)
    monkeypatch.setattr(reaper, "messages_waiting", lambda: 1)
    assert reaper.runs_reap().rung == 2
    monkeypatch.setattr(reaper, "messages_waiting", lambda: 3)
    assert reaper.runs_reap().rung == 0


def test_nothing_is_rung_while_every_waiting_run_has_its_message(queued, bell, monkeypatch):
    for n in range(3):
        Run.objects.filter(pk=queued(f"d{n}").pk).update(enqueued_at=None)
    monkeypatch.setattr(reaper, "messages_waiting", lambda: 3)
    assert reaper.runs_reap().rung == 0
    monkeypatch.setattr(reaper, "messages_waiting", lambda: 2)
    assert reaper.runs_reap().rung == 1


def test_without_a_broker_the_bell_stays_due(queued, monkeypatch):
    run = queued()
    Run.objects.filter(pk=run.pk).update(enqueued_at=None)
    monkeypatch.setattr(reaper, "messages_waiting", lambda: None)
    assert reaper.runs_reap().rung == 0
    assert Run.objects.get(pk=run.pk).enqueued_at is None
