"""What a log leaves open is asked where jobs hang on it; people in it are not named."""

from __future__ import annotations

from planner.catalog import selectors
from planner.catalog.services_imports import import_accept
from simulation.formats.workload import NO_GPU, NO_SPAN, NOT_STATED, RUNNING
from tests.planner.catalog.files import SACCT

UTC = {"time_zone": "UTC"}
STILL = "5|bob|nlp|RUNNING|2026-03-02T10:00:00|2026-03-02T10:05:00|Unknown|600|gres/gpu:a100=8,gres/gpu=8|big\n"


def test_running_jobs_are_asked_about_only_where_there_are_some(upload, owner):
    def asked(importing):
        return {question["key"]: question["answer"] for question in importing.preview["questions"]}

    assert "running" not in asked(upload(SACCT))
    importing = upload(SACCT + STILL)
    assert asked(importing)["running"] == "lower-bound"
    with_it = import_accept(importing=importing, user=owner, answers={**UTC, "name": "with"})
    assert selectors.workload_of(with_it).jobs.duration_s == [7200, 1800, 600]
    assert with_it.summary["running"] == 1
    given = {**UTC, "name": "without", "running": "leave-out"}
    without = import_accept(importing=upload(SACCT + STILL), user=owner, answers=given)
    assert (without.summary["jobs"], without.summary["left_out"]) == (2, {RUNNING: 1, NO_GPU: 1})


def test_a_job_that_ended_at_once_is_counted_not_simulated(upload, owner):
    at_once = STILL.replace("RUNNING", "FAILED").replace("Unknown|600", "2026-03-02T10:05:00|0")
    revision = import_accept(importing=upload(SACCT + at_once), user=owner, answers=UTC)
    assert revision.summary["left_out"] == {NO_SPAN: 1, NO_GPU: 1}


def test_nobody_gets_a_pseudonym(upload, owner):
    revision = import_accept(importing=upload(SACCT.replace("|bob|", "||")), user=owner, answers=UTC)
    first, second = selectors.workload_of(revision).jobs.user
    assert first.startswith("user-")
    assert second == NOT_STATED


def test_people_become_stable_pseudonyms(upload, owner, workspace):
    first = selectors.workload_of(import_accept(importing=upload(SACCT), user=owner, answers=UTC)).jobs
    day_before = SACCT.splitlines()[3].replace("2|bob", "0|bob").replace("03-02", "03-01")
    again = f"{SACCT}{day_before}\n"
    later = selectors.workload_of(import_accept(importing=upload(again, "b"), user=owner, answers=UTC)).jobs
    assert "bob" not in first.user
    assert first.user[1] == later.user[0]
    kept = import_accept(importing=upload(SACCT), user=owner, answers={**UTC, "names": "keep", "name": "named"})
    assert selectors.workload_of(kept).jobs.user == ["ada", "bob"]
