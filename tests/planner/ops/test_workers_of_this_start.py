"""`make run` says that workers are ready when one of its own is, not one that an earlier start has left behind."""

from __future__ import annotations

from planner.config.management.commands import up
from planner.studies.models import Process
from planner.studies.runs.presence import process_names, process_seen, workforce


def test_a_worker_of_an_earlier_start_is_not_taken_for_one_of_this(db, monkeypatch):
    monkeypatch.setattr(up, "health_of", lambda address: True)
    process_seen("worker-killed", Process.Kind.WORKER)
    before = process_names()
    assert workforce().workers == 1  # nobody has missed it yet
    assert not up.ready_since(before, "")
    process_seen("worker-new", Process.Kind.STARTING)
    assert not up.ready_since(before, "")
    process_seen("worker-new", Process.Kind.WORKER)
    assert up.ready_since(before, "")


def test_nothing_is_ready_while_something_is_missing(db, monkeypatch):
    monkeypatch.setattr(up, "health_of", lambda address: None)
    process_seen("worker-new", Process.Kind.WORKER)
    assert not up.ready_since(frozenset(), "")
