from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from planner.studies.models import Process
from planner.studies.runs.presence import getting_ready, process_gone, process_seen, processes_alive, workforce
from tests.servers import wait_until

pytestmark = pytest.mark.django_db

WORKER = Process.Kind.WORKER


def test_a_process_is_alive_while_it_says_so(settings):
    process_seen("worker-1", WORKER, slots=2)
    process_seen("worker-1", WORKER, slots=2)
    assert processes_alive(WORKER).get().slots == 2
    assert not processes_alive(Process.Kind.REAPER).exists()


def test_a_silent_process_is_taken_for_gone_and_forgotten_later():
    process_seen("worker-1", WORKER)
    Process.objects.update(last_seen=timezone.now() - timedelta(minutes=2))
    assert not processes_alive(WORKER).exists()
    Process.objects.update(last_seen=timezone.now() - timedelta(days=2))
    process_seen("worker-2", WORKER)
    assert list(Process.objects.values_list("name", flat=True)) == ["worker-2"]


def test_a_process_that_ends_leaves_no_trace():
    process_seen("worker-1", WORKER)
    process_gone("worker-1")
    assert not Process.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_announced_while_it_gets_ready_and_appears_under_the_same_name():
    with getting_ready("worker-1"):
        wait_until(lambda: workforce().starting == 1, 10, "the worker is announced")
    assert workforce().missing.startswith("Workers are getting ready")
    process_seen("worker-1", WORKER, slots=2)
    ready = workforce()
    assert (ready.workers, ready.slots, ready.starting, ready.missing) == (1, 2, 0, "")
