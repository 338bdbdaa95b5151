from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from planner.studies.models import Process, Run, Scenario, Study
from planner.studies.runs import health
from planner.studies.runs.presence import process_seen

pytestmark = pytest.mark.django_db

PARTS = {"web", "database", "broker", "workers", "reaper", "queue"}


@pytest.fixture
def healthy(monkeypatch, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health, "messages_waiting", lambda: 0)
    process_seen("worker-1", Process.Kind.WORKER, slots=2)
    process_seen("reaper-1", Process.Kind.REAPER)


def answer(client):
    response = client.get(reverse("health"))
    return response.status_code, response.json()


def test_all_well_needs_no_sign_in(client, healthy):
    status, body = answer(client)
    assert status == 200
    assert set(body) == PARTS | {"ok", "problems"}
    assert body["ok"] is True
    assert body["workers"]["slots"] == 2


def test_it_stands_at_its_known_address(client, healthy):
    assert client.get("/healthz").status_code == 200


def test_a_silent_broker_is_named(client, healthy, monkeypatch):
    monkeypatch.setattr(health, "messages_waiting", lambda: None)
    status, body = answer(client)
    assert (status, body["broker"]["ok"], body["database"]["ok"]) == (503, False, True)
    assert body["problems"][0].startswith("broker: does not answer")


def test_no_broker_configured_is_not_a_fault(client, healthy, settings):
    settings.REDIS_URL = ""
    assert answer(client)[0] == 200


@pytest.mark.parametrize("part", ["workers", "reaper"])
def test_missing_processes_are_named(client, healthy, part):
    Process.objects.filter(kind=part.removesuffix("s")).delete()
    status, body = answer(client)
    assert (status, body[part]["ok"]) == (503, False)


def test_a_worker_that_gets_ready_is_no_worker_yet_and_is_told_from_a_missing_one(client, healthy):
    Process.objects.filter(kind=Process.Kind.WORKER).update(kind=Process.Kind.STARTING)
    status, body = answer(client)
    assert (status, body["workers"]["ok"], body["workers"]["starting"]) == (503, False, 1)
    assert "getting ready" in body["problems"][0]


def test_a_dead_database_is_named_and_no_traceback_is_shown(client, healthy, monkeypatch):
    def away():
        raise DatabaseError("connection refused")

    monkeypatch.setattr(health, "_workers", away)
    status, body = answer(client)
    assert (status, body["database"]["ok"], body["broker"]["ok"]) == (503, False, True)


def test_a_queue_on_which_nothing_moves_is_named(client, healthy, workspace):
    study = Study.objects.create(workspace=workspace, question="?", base={}, axes={})
    scenario = Scenario.objects.create(study=study, position=0, label="base", spec={}, digest="d", family="f")
    Run.objects.create(scenario=scenario, seed=0)
    assert answer(client)[0] == 200
    Run.objects.update(created_at=timezone.now() - timedelta(hours=1))
    status, body = answer(client)
    assert (status, body["queue"]["ok"], body["queue"]["waiting"]) == (503, False, 1)


def test_it_is_read_only(client, healthy):
    assert client.post(reverse("health")).status_code == 405
