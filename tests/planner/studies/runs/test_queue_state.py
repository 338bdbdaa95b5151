from __future__ import annotations

import pytest

from planner.accounts.services import workspace_create
from planner.studies.models import Process
from planner.studies.runs.claim import run_claim
from planner.studies.runs.presence import Workforce, process_seen
from planner.studies.runs.selectors import queue_state

pytestmark = pytest.mark.django_db


def test_the_queue_shows_running_runs_first_then_those_that_wait(queued, workspace):
    first, second, third = queued("a"), queued("b"), queued("c")
    queued("d", state="done")
    run_claim(third.pk, "w/1")
    process_seen("worker-1", Process.Kind.WORKER, slots=2)
    state = queue_state(workspace)
    assert (state.running, state.waiting, state.workforce) == (1, 2, Workforce(workers=1, slots=2, starting=0))
    assert state.rows == [third, first, second]


def test_another_workspace_sees_nothing_of_it(queued, person):
    queued()
    state = queue_state(workspace_create(name="Other", owner=person("otto")))
    assert (state.running, state.waiting, state.rows) == (0, 0, [])
