from __future__ import annotations

import socket
import time

import pytest

from planner.studies.models import Run
from planner.studies.runs import runs_enqueue, submission
from planner.studies.runs.claim import run_claim
from planner.studies.runs.doorbell import messages_waiting, ring
from planner.studies.runs.finish import run_finish
from tests.planner.studies.runs.conftest import DOCUMENT, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def silent_port():
    """A port that takes connections and never says a word: the worst kind of broker."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield listening.getsockname()[1]


def test_the_bell_rings_only_after_the_commit(queued, monkeypatch, django_capture_on_commit_callbacks):
    rung = []
    monkeypatch.setattr(submission, "ring", lambda ids: rung.extend(ids))
    run = queued()
    with django_capture_on_commit_callbacks(execute=True):
        assert runs_enqueue([run.pk]) == 1
        assert rung == []
    assert rung == [run.pk]


def test_a_known_answer_needs_no_worker(queued, monkeypatch, django_capture_on_commit_callbacks):
    rung = []
    monkeypatch.setattr(submission, "ring", lambda ids: rung.extend(ids))
    first, again, new = queued("same"), queued("same", state="failed"), queued("new")
    run_finish(run_claim(first.pk, "w/1"), DOCUMENT, 1.0)
    Run.objects.filter(pk=again.pk).update(state="queued")
    with django_capture_on_commit_callbacks(execute=True):
        assert runs_enqueue([again.pk, new.pk]) == 1
    assert (state_of(again), state_of(new)) == ("done", "queued")
    assert rung == [new.pk]


def test_many_runs_are_enqueued_in_their_order(queued, monkeypatch, django_capture_on_commit_callbacks):
    rung = []
    monkeypatch.setattr(submission, "ring", lambda ids: rung.extend(ids))
    first = queued()
    runs = [first, *Run.objects.bulk_create(Run(scenario=first.scenario, seed=seed) for seed in range(1, 1201))]
    with django_capture_on_commit_callbacks(execute=True):
        assert runs_enqueue(run.pk for run in runs) == 1201
    assert rung == [run.pk for run in runs]


@pytest.mark.parametrize("kind", ["nothing listens", "nothing answers"])
def test_a_broker_outage_neither_fails_nor_delays_the_page(queued, settings, silent_port, kind):
    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    port = silent_port if kind == "nothing answers" else free.getsockname()[1]
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    ids = [queued().pk for _ in range(50)]
    began = time.monotonic()
    assert ring(ids) == 0
    assert time.monotonic() - began < 1.0  # the promise is about time
    assert messages_waiting() is None
    free.close()
