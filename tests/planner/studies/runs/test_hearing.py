from __future__ import annotations

import pytest
from django.db import DatabaseError

from planner.studies.models import Run
from planner.studies.runs import hearing
from planner.studies.runs.hearing import Hearing

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test moves."""
    now = [1000.0]
    monkeypatch.setattr(hearing.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def broker(monkeypatch):
    """How many messages wait: None where no broker answers."""
    waiting = [2]
    monkeypatch.setattr(hearing, "messages_waiting", lambda: waiting[0])
    return waiting


@pytest.fixture
def ear(clock, broker, settings):
    settings.RUN_STALL_S = 30.0
    return Hearing("worker-1", end=lambda: None)


def looks_for(ear, clock, seconds: int) -> list[bool]:
    """A look every five seconds."""
    found = []
    for _ in range(seconds // 5):
        clock[0] += 5
        found.append(ear.deaf())
    return found


def test_a_worker_that_takes_no_message_for_long_is_deaf(ear, clock):
    assert looks_for(ear, clock, 45) == [False] * 6 + [True] * 3


def test_one_that_takes_messages_now_and_then_hears(ear, clock):
    for _ in range(10):
        assert not any(looks_for(ear, clock, 25))
        ear.heard()


def test_silence_proves_nothing_where_no_message_waits(ear, clock, broker):
    broker[0] = 0
    assert not any(looks_for(ear, clock, 300))
    broker[0] = 1
    assert looks_for(ear, clock, 35)[-1]


def test_silence_proves_nothing_while_the_broker_is_away(ear, clock, broker):
    looks_for(ear, clock, 25)
    broker[0] = None
    assert not any(looks_for(ear, clock, 300))
    broker[0] = 2
    assert not any(looks_for(ear, clock, 30))


def test_silence_proves_nothing_while_the_database_is_away(ear, clock, monkeypatch):
    def away(worker):
        raise DatabaseError("connection refused")

    monkeypatch.setattr(hearing, "runs_held_by", away)
    assert not any(looks_for(ear, clock, 300))


@pytest.mark.parametrize(("holder", "deaf"), [("worker-1/77", False), ("worker-2/78", True), ("worker-11/79", True)])
def test_a_worker_that_is_busy_is_not_deaf_and_a_busy_neighbour_excuses_nobody(ear, clock, queued, holder, deaf):
    queued(state=Run.State.RUNNING, worker=holder)
    assert any(looks_for(ear, clock, 300)) is deaf
