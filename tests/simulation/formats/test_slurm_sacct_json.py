"""`sacct --json` of several releases: number sets, lists of states, unset numbers, steps inside of jobs."""

from __future__ import annotations

import copy
import json

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.measured import measured_waits
from tests.simulation.formats.conftest import read_text

FOLDER = "slurm-sacct-json/"
NOTHING = {"set": False, "infinite": False, "number": 0}
JOB = {
    "job_id": 7,
    "cluster": "c1",
    "name": "train",
    "user": "ada",
    "account": "vision",
    "partition": "gpu",
    "nodes": "g01",
    "state": {"current": ["COMPLETED"]},
    "time": {
        "submission": 1_780_272_000, "eligible": 1_780_272_000, "start": 1_780_272_600, "end": 1_780_276_200,
        "elapsed": 3_600, "limit": {"set": True, "infinite": False, "number": 120},
    },
    "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}], "requested": []},
    "steps": [],
}  # fmt: skip


def job(**changes):
    made = copy.deepcopy(JOB)
    for path, value in changes.items():
        where = made
        *parents, last = path.split("__")
        for key in parents:
            where = where[key]
        where[last] = value
    return made


def read_jobs(*jobs, plugin="data_parser/v0.0.41", **more):
    meta = {"plugin": {"data_parser": plugin}} if plugin else {}
    return read_text("slurm-sacct-json", json.dumps({"jobs": list(jobs), "meta": meta, "errors": [], **more}))


def test_the_oldest_layout(sample):
    reading = sample("slurm-sacct-json", FOLDER + "v0.0.37_slurm21.08_two_jobs.json")
    assert reading.ready
    first, second = reading.table.rows()
    assert (first["id"], first["state"], first["elapsed_s"]) == ("10", "NODE_FAIL", 20_615)
    assert first["start_s"] - first["submit_s"] == 25
    assert (second["id"], second["state"], second["elapsed_s"]) == ("20", "REQUEUED", 86_307)
    assert second["start_s"] - second["submit_s"] == 2
    assert second["outcome"] == "waiting"
    assert reading.table["gpus"] == [1, 1]
    assert reading.table["gpu_model"] == [None, None]
    assert first["end_s"] is None


def test_number_sets_and_lists_of_states(sample):
    reading = sample("slurm-sacct-json", FOLDER + "v0.0.40_slurm23.11_plain.json")
    first, second = reading.table.rows()
    assert (first["id"], first["gpus"], first["gpu_model"], first["elapsed_s"]) == ("8001", 8, "h100", 7_200)
    assert (first["gpu_s"] / 3600, first["timelimit_s"] / 60) == (16, 1440)
    assert (second["id"], second["outcome"], second["gpus"]) == ("8002", "failed", 1)
    assert (second["elapsed_s"], second["gpu_s"] / 3600) == (360, 0.1)
    assert measured_waits(reading.table).wait.n == 2
    assert [row["start_s"] - row["submit_s"] for row in (first, second)] == [600, 60]
    assert reading.counts.warned == 0


def test_both_shapes_of_a_number_are_the_same():
    plain = read_jobs(job(time__limit=120, state__current="COMPLETED"), plugin="openapi/dbv0.0.37")
    assert plain.digest() == read_jobs(job()).digest()


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        ({"set": False, "infinite": False, "number": 1440}, None),
        ({"set": True, "infinite": True, "number": 0}, None),
        ({"set": False, "infinite": True, "number": 0}, None),
        (4_294_967_294, None),
        (4_294_967_295, None),
        ({"set": True, "infinite": False, "number": 90}, 5_400),
    ],
)
def test_a_number_means_nothing_unless_it_is_set(limit, seconds):
    assert read_jobs(job(time__limit=limit)).table["timelimit_s"] == [seconds]


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        (["CANCELLED", "OUT_OF_MEMORY"], "cancelled"),
        (["COMPLETED", "REQUEUED"], "waiting"),
        ("TIMEOUT", "timeout"),
        (["RUNNING"], "running"),
    ],
)
def test_states(states, outcome):
    assert read_jobs(job(state__current=states)).table["outcome"] == [outcome]


def test_a_requeued_row_and_its_last_one_are_attempts_of_one_job():
    first = job(state__current=["COMPLETED", "REQUEUED"])
    last = job(time__start=1_780_280_000, time__end=1_780_283_600)
    body = json.dumps({"jobs": [first, last], "meta": {"plugin": {"data_parser": "data_parser/v0.0.41"}}})
    assert [question.key for question in read_text("slurm-sacct-json", body).unanswered] == ["requeues"]
    joined = read_text("slurm-sacct-json", body, {"requeues": "attempts"})
    assert joined.table["attempts"] == [2]
    assert joined.table["elapsed_s"] == [7_200]


@pytest.mark.parametrize("count", [-2, 18_446_744_073_709_551_614])
def test_an_unset_count_of_gpus_is_unknown(count):
    table = read_jobs(job(tres__allocated=[{"type": "gres", "name": "gpu", "count": count}])).table
    assert table["gpus"] == [None]


def test_steps_are_never_added_to_their_job():
    step = {"tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}]}, "time": {"elapsed": 3_600}}
    reading = read_jobs(job(steps=[step, step, step]))
    assert (reading.totals["gpu_hours"], reading.totals["steps_folded"], reading.counts.in_file) == (2.0, 3, 1)


def test_a_running_job_has_no_end():
    row = read_jobs(job(time__end=0, state__current=["RUNNING"])).table.row(0)
    assert (row["end_s"], row["outcome"], row["elapsed_s"]) == (None, "running", 3_600)


def test_a_waiting_job_never_started():
    waiting = job(time__start=0, time__end=0, time__elapsed=0, state__current=["PENDING"], nodes="None assigned")
    row = read_jobs(waiting).table.row(0)
    assert (row["start_s"], row["attempts"], row["outcome"]) == (None, 0, "waiting")


def test_a_row_that_stands_for_waiting_tasks_says_so():
    reading = read_jobs(job(array={"job_id": 7, "task_id": NOTHING, "task": "5-9%2"}, state__current=["PENDING"]))
    assert reading.table["id"] == ["7_[5-9%2]"]
    assert any("stands for 5 waiting tasks" in issue.reason for issue in reading.warned)


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"time__submission": 1_780_272_000_000}, "time.submission"),
        ({"time__start": "soon"}, "time.start"),
        ({"time__elapsed": -5}, "ElapsedRaw"),
        ({"time__elapsed": 1e30}, "ElapsedRaw"),
        ({"time__end": 1_780_272_100}, "End"),
        ({"state__current": None}, "state.current"),
        ({"job_id": 0}, "job_id"),
        ({"job_id": "7"}, "job_id"),
        ({"time": 5}, "time"),
        ({"tres": [1]}, "tres"),
        ({"array": "x"}, "array"),
        ({"state": "COMPLETED"}, "state"),
        ({"tres__allocated": {"gpu": 2}}, "tres.allocated"),
        ({"tres__allocated": [{"type": "gres", "name": "gpu", "count": 10**9}]}, "AllocTRES"),
    ],
)
def test_impossible_values_refuse_their_job_alone(changes, column):
    reading = read_jobs(job(**changes), job(job_id=8))
    assert [(issue.line, issue.column) for issue in reading.rejected] == [(1, column)]
    assert reading.table["id"] == ["8"]


def test_a_layout_that_nobody_knows_is_refused_with_the_fields_that_do_not_fit():
    odd = job(time__limit={"minutes": 120}, job_id=8)
    with pytest.raises(FormatError, match=r"column time\.limit.*v0\.0\.99.*do not fit"):
        read_jobs(job(), odd, plugin="data_parser/v0.0.99")
    assert read_jobs(job(), odd).counts.rejected == 1


def test_a_layout_that_nobody_knows_is_read_where_every_field_fits():
    reading = read_jobs(job(), plugin="data_parser/v0.0.99")
    assert len(reading.table) == 1
    assert any("not one that we know" in fact for fact in reading.facts)


def test_the_errors_of_sacct_are_shown_where_there_is_no_job():
    with pytest.raises(FormatError, match="Unable to connect to database"):
        read_jobs(errors=[{"error": "x", "description": "Unable to connect to database"}])


def test_warnings_beside_jobs_are_told():
    assert any("old plugin" in fact for fact in read_jobs(job(), warnings=[{"description": "old plugin"}]).facts)


def test_the_same_job_twice_counts_once():
    reading = read_jobs(job(), job())
    assert (len(reading.table), reading.counts.folded) == (1, 1)


def test_jobs_of_several_clusters_are_never_added_up():
    assert [question.key for question in read_jobs(job(), job(cluster="c2")).unanswered] == ["cluster"]
