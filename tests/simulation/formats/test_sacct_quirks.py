"""What sacct exports really look like: delimiters, requeues, clock changes, cut states, requests, slices."""

from __future__ import annotations

import pytest

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.slurm_resources import parse_tres, requested_memory
from tests.simulation.formats.conftest import read_text

UTC = {"time_zone": "UTC"}
FIELDS = ["JobID", "JobIDRaw", "State", "Submit", "Start", "End", "ElapsedRaw", "AllocTRES", "JobName"]
JOB = {
    "JobID": "7",
    "JobIDRaw": "7",
    "State": "COMPLETED",
    "Submit": "2026-03-02T08:00:00",
    "Start": "2026-03-02T08:05:00",
    "End": "2026-03-02T09:05:00",
    "ElapsedRaw": "3600",
    "AllocTRES": "cpu=4,gres/gpu=2",
    "JobName": "train",
}


def export(*jobs, delimiter="|", end="", fields=FIELDS):
    rows = [{**JOB, **job} for job in jobs]
    lines = [delimiter.join(fields), *(delimiter.join(row[field] for field in fields) for row in rows)]
    return "".join(line + end + "\n" for line in lines)


def read_jobs(*jobs, answers=UTC, **layout):
    return read_text("slurm-sacct", export(*jobs, **layout), answers)


def only_row(*jobs, **layout):
    return read_jobs(*jobs, **layout).table.row(0)


@pytest.mark.parametrize("delimiter", ["|", ";", ",", "\t", "^", "^^", "~"])
@pytest.mark.parametrize("trailing", [False, True])
def test_any_delimiter_also_at_line_ends(delimiter, trailing):
    job = {"AllocTRES": "gres/gpu=2"}
    row = only_row(job, delimiter=delimiter, end=delimiter if trailing else "")
    assert (row["gpus"], row["name"], row["elapsed_s"]) == (2, "train", 3600)


def test_the_zone_is_asked_unless_answered():
    reading = read_jobs({}, answers={})
    assert [question.key for question in reading.unanswered] == ["time_zone"]
    assert reading.unanswered[0].default is None
    with pytest.raises(FormatError, match=r"answer time_zone.*zone"):
        reading.require_ready()


def test_a_zone_that_is_none_is_refused():
    for zone in ("Mars/Base", "../etc/passwd", "", "/etc/localtime"):
        with pytest.raises(FormatError, match="answer time_zone"):
            read_jobs({}, answers={"time_zone": zone})


def test_local_times_become_utc():
    row = only_row({}, answers={"time_zone": "Europe/Berlin"})
    assert row["submit_s"] == 1_772_434_800  # 07:00 UTC


def test_an_hour_that_occurs_twice_is_settled_by_the_run_time():
    job = {"Submit": "2026-10-25T00:30:00", "Start": "2026-10-25T01:30:00", "End": "2026-10-25T02:30:00"}
    long_run = read_jobs({**job, "ElapsedRaw": "7200"}, answers={"time_zone": "Europe/Berlin"})
    row = long_run.table.row(0)
    assert row["end_s"] - row["start_s"] == 7200
    assert long_run.counts.warned == 0
    short_run = read_jobs({**job, "ElapsedRaw": "3600"}, answers={"time_zone": "Europe/Berlin"})
    assert short_run.table.row(0)["end_s"] - short_run.table.row(0)["start_s"] == 3600
    assert "occurs twice" in short_run.warned[0].reason


def test_an_hour_that_never_was_is_told():
    reading = read_jobs({"Submit": "2026-03-29T02:30:00"}, answers={"time_zone": "Europe/Berlin"})
    assert any("leave this hour out" in issue.reason for issue in reading.warned)


def test_typed_and_untyped_gpus_are_the_same_devices():
    row = only_row({"AllocTRES": "gres/gpu:a100=8,gres/gpu=8,cpu=16"})
    assert (row["gpus"], row["gpu_model"]) == (8, "a100")
    assert only_row({"AllocTRES": "gres/gpu:a100=3,gres/gpu:v100=1"})["gpus"] == 4


def test_shards_and_utilisation_are_no_gpus():
    row = only_row({"AllocTRES": "gres/shard=8,gres/gpuutil=50,gres/gpumem=10G,gres/gpu=1"})
    assert row["gpus"] == 1


def test_slices_are_not_whole_gpus():
    reading = read_jobs({"AllocTRES": "gres/gpu=7,gres/gpu:1g.10gb=7"})
    assert reading.table["gpus"] == [None]
    assert "slices" in reading.warned[0].reason


def test_a_request_is_taken_where_nothing_else_is_known_and_told():
    fields = [*FIELDS, "ReqTRES"]
    reading = read_jobs({"AllocTRES": "", "ReqTRES": "gres/gpu:h100=4,cpu=8"}, fields=fields)
    row = reading.table.row(0)
    assert (row["gpus"], row["gpu_model"], row["gpu_models_allowed"]) == (4, None, "h100")
    assert "only the request" in reading.warned[0].reason


def test_na_in_the_request_does_not_hide_the_allocation():
    fields = [*FIELDS, "ReqTRES"]
    assert only_row({"AllocTRES": "gres/gpu=1", "ReqTRES": "N/A"}, fields=fields)["gpus"] == 1


def test_old_gres_fields_are_per_node():
    fields = [*FIELDS, "AllocGRES", "NNodes"]
    row = only_row({"AllocTRES": "", "AllocGRES": "gpu:a100:2", "NNodes": "3"}, fields=fields)
    assert (row["gpus"], row["gpu_model"]) == (6, "a100")


def test_gpus_are_unknown_where_no_row_names_any():
    jobs = ({"AllocTRES": "cpu=4"}, {"JobID": "8", "JobIDRaw": "8", "AllocTRES": "cpu=2"})
    assert read_jobs(*jobs).table["gpus"] == [None, None]
    assert read_jobs(*jobs, answers={**UTC, "absent_gpus": "none"}).table["gpus"] == [0, 0]


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ("OUT_OF_ME+", "failed"),
        ("CANCELLED+", "cancelled"),
        ("CANCELLED by 1000", "cancelled"),
        ("TIMEOUT", "timeout"),
        ("NODE_FAIL", "failed"),
        ("PENDING", "waiting"),
        ("RE+", None),
        ("SINGING", None),
    ],
)
def test_states(state, outcome):
    assert only_row({"State": state})["outcome"] == outcome


def test_a_running_job_is_not_finished():
    reading = read_jobs({"State": "RUNNING", "End": "Unknown", "ElapsedRaw": "60"})
    row = reading.table.row(0)
    assert (row["outcome"], row["end_s"], row["elapsed_s"]) == ("running", None, 60)
    assert reading.counts.warned == 0


def test_a_job_cancelled_while_waiting_never_started():
    fields = [*FIELDS, "NodeList"]
    job = {"State": "CANCELLED by 1", "Start": "2026-03-02T09:05:00", "ElapsedRaw": "0", "NodeList": "None assigned"}
    row = only_row(job, fields=fields)
    assert (row["start_s"], row["attempts"], row["elapsed_s"]) == (None, 0, None)


def test_a_cancelled_job_without_a_start_never_started():
    row = only_row({"State": "CANCELLED by 1", "Start": "Unknown", "ElapsedRaw": "0"})
    assert (row["start_s"], row["attempts"], row["elapsed_s"]) == (None, 0, None)


def test_a_job_that_ends_before_it_starts_is_refused():
    reading = read_jobs({"End": "2026-03-02T08:00:00"}, {"JobID": "8", "JobIDRaw": "8"})
    (issue,) = reading.rejected
    assert (issue.line, issue.column, issue.reason) == (2, "End", "ends before it starts")
    assert reading.totals["gpu_hours_by_fate"]["rejected"] == 2.0
    assert reading.totals["gpu_hours_by_fate"]["kept"] == 2.0


def test_a_start_before_the_submission_is_told_and_its_wait_is_unknown():
    reading = read_jobs({"Submit": "2026-03-02T08:30:00"})
    assert reading.warned[0].reason == "the wait is not known"


def test_negative_run_times_are_refused():
    assert read_jobs({"ElapsedRaw": "-5"}).rejected[0].reason == "a negative duration"


def test_a_separator_in_the_only_free_text_is_put_back():
    row = only_row({"JobName": "a|b|c"})
    assert (row["name"], row["gpus"]) == ("a|b|c", 2)
    fields = ["JobID", "JobName", *(field for field in FIELDS[1:] if field != "JobName")]
    assert only_row({"JobName": "a|b"}, fields=fields)["name"] == "a|b"


def test_a_separator_that_two_free_texts_could_hold_is_refused():
    reading = read_jobs({"JobName": "a|b", "Comment": "c"}, fields=[*FIELDS, "Comment"])
    assert "holds the separator" in reading.rejected[0].reason


def test_steps_without_their_job_are_refused_not_lost():
    reading = read_jobs({}, {"JobID": "9.batch", "JobIDRaw": "9.batch"})
    assert reading.rejected[0].reason == "a step whose job is not in the file"


def test_a_line_that_is_repeated_counts_once():
    reading = read_jobs({}, {})
    assert (reading.totals["jobs"], reading.totals["duplicates_folded"], reading.counts.folded) == (1, 1, 1)


REQUEUED = (
    {"State": "REQUEUED", "ElapsedRaw": "600", "End": "2026-03-02T08:15:00"},
    {"Start": "2026-03-02T08:20:00", "End": "2026-03-02T09:20:00"},
)


def test_requeued_attempts_are_asked_about():
    assert [question.key for question in read_jobs(*REQUEUED).unanswered] == ["requeues"]


def test_requeued_attempts_joined():
    reading = read_jobs(*REQUEUED, answers={**UTC, "requeues": "attempts"})
    row = reading.table.row(0)
    assert (row["attempts"], row["attempts_s"], row["elapsed_s"]) == (2, (600, 3600), 4200)
    assert row["gpu_s"] == 8400
    assert row["end_s"] - row["submit_s"] == 4800
    assert (len(reading.table), reading.counts.folded) == (1, 1)


def test_requeued_attempts_kept_apart():
    reading = read_jobs(*REQUEUED, answers={**UTC, "requeues": "separate"})
    assert sorted(reading.table["id"]) == ["7", "7#2"]


def test_an_id_used_again_after_a_reset_is_another_job():
    later = {"Submit": "2027-03-02T08:00:00", "Start": "2027-03-02T08:05:00", "End": "2027-03-02T09:05:00"}
    reading = read_jobs({}, later)
    assert reading.ready
    assert reading.table["id"] == ["7", "7#2"]


def test_several_clusters_are_never_added_up():
    fields = [*FIELDS, "Cluster"]
    jobs = ({"Cluster": "north"}, {"JobID": "8", "JobIDRaw": "8", "Cluster": "south"})
    assert [question.key for question in read_jobs(*jobs, fields=fields).unanswered] == ["cluster"]
    reading = read_jobs(*jobs, fields=fields, answers={**UTC, "cluster": "south"})
    assert (reading.table["id"], reading.counts.skipped) == (["8"], 2)


def test_pasted_exports_repeat_their_header():
    text = export({}) + export({"JobID": "8", "JobIDRaw": "8"})
    reading = read_text("slurm-sacct", text, UTC)
    assert (reading.totals["jobs"], reading.counts.skipped) == (2, 2)


def test_pending_array_tasks_are_told():
    reading = read_jobs({"JobID": "9_[5-9%2]", "State": "PENDING", "Start": "Unknown", "End": "Unknown"})
    assert "5 waiting tasks" in reading.warned[0].reason


def test_fixed_widths_are_refused_with_advice():
    text = "JobID           State\n------------ ----------\n7             COMPLETED\n"
    with pytest.raises(FormatError, match=r"line 2.*sacct -P"):
        read_text("slurm-sacct", text, UTC)


@pytest.mark.parametrize(
    ("text", "cpus", "nodes", "expected"),
    [
        ("64G", 8, 2, 64 * 1024**3),
        ("4000Mc", 8, 2, 8 * 4000 * 1024**2),
        ("8000Mn", 64, 8, int(62.5 * 1024**3)),
        ("2147486648Mn", 8, 1, 8 * 3000 * 1024**2),
        (f"{(1 << 63) + 500}M", 2, 1, 2 * 500 * 1024**2),
        ("0n", 8, 1, None),
        ("0", 8, 1, None),
        ("4000Mc", None, 1, None),
        ("", 8, 1, None),
    ],
)
def test_requested_memory(text, cpus, nodes, expected):
    assert requested_memory(text, "ReqMem", cpus, nodes) == expected


def test_a_tres_list_without_amounts_is_refused():
    with pytest.raises(CellError):
        parse_tres("gres/gpu", "AllocTRES")
    assert parse_tres("", "AllocTRES").devices.whole is None
    assert parse_tres("cpu=4", "AllocTRES").devices.whole == 0
