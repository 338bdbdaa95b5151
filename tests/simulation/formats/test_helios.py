"""Helios: the job log and the capacity by day, with the stated outcomes and with damage."""

from __future__ import annotations

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.inventory import pools
from tests.simulation.formats.conftest import read_text

HEADER = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
ROW = "7,u,vcA,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n"
DAYS = "date,vcA,vcB,total\n2020-04-01,20,0,20\n2020-04-02,20,8,28\n"


def test_three_jobs_of_the_published_log(sample):
    reading = sample("helios-jobs", "helios-csv/cluster_log_three_jobs.csv")
    assert reading.ready
    table = reading.table
    assert table["gpu_s"] == [36_848, 4 * 249, 675_233]
    assert reading.totals["gpu_hours"] == pytest.approx(198.077, abs=5e-4)
    assert [start - submit for start, submit in zip(table["start_s"], table["submit_s"], strict=True)] == [0, 0, 0]
    assert table["submit_s"][0] == 1_591_699_261  # 2020-06-09 10:41:01 UTC
    assert reading.counts.warned == 0


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        (",4,16,", ",-4,16,", "gpu_num"),
        (",4,16,", ",NaN4,16,", "gpu_num"),
        (",4,16,", ",4000000000,16,", "gpu_num"),
        ("18:45:36", "18:41:26", "end_time"),
        ("2020-06-09 18:45:36", "2020-06-09 25:45:36", "end_time"),
        ("7,u", ",u", "job_id"),
    ],
)
def test_impossible_cells_refuse_their_row(old, new, column):
    reading = read_text("helios-jobs", HEADER + ROW.replace(old, new) + ROW)
    assert len(reading.table) == 1
    assert reading.rejected[0].column == column


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        (",249,0", ",4.15,0", "duration"),  # minutes
        (",249,0", ",249,77", "queue"),
        ("FAILED", "=cmd()", "state"),
        (",4,16,", ",,16,", "gpu_num"),
        ("18:41:27,2020-06-09 18:41:27", "18:41:27,2020-06-09 18:41:20", "start_time"),
    ],
)
def test_figures_that_do_not_agree_are_told_and_not_used(old, new, column):
    reading = read_text("helios-jobs", HEADER + ROW.replace(old, new))
    assert column in {issue.column for issue in reading.warned}
    assert reading.table["elapsed_s"] in ([249], [256])


def test_a_job_that_never_started_has_no_wait():
    text = ROW.replace("2020-06-09 18:41:27,2020-06-09 18:45:36", ",2020-06-09 18:45:36").replace("249,0", "0,249")
    job = read_text("helios-jobs", HEADER + text).table.row(0)
    assert (job["attempts"], job["start_s"], job["end_s"], job["gpu_s"]) == (0, None, None, None)


def test_an_id_that_repeats_counts_once_and_never_in_two_ways():
    reading = read_text("helios-jobs", HEADER + ROW + ROW + ROW.replace("vcA", "vcB"))
    assert (len(reading.table), reading.counts.folded, reading.counts.rejected) == (1, 1, 1)


def test_three_days_of_capacity(sample):
    reading = sample("helios-capacity", "helios-csv/cluster_gpu_number_three_days.csv")
    assert reading.ready
    assert set(reading.totals["gpus_by_day"].values()) == {784}
    assert reading.totals["gpus"] == 784
    assert {*reading.table["gpus"]} == {8}
    assert sum(pool.gpus for pool in pools(reading.table).pools) == 784


def test_the_whole_capacity_of_earth_adds_up_on_every_day(trace):
    reading = trace("helios-capacity", "helios-earth/earth_gpu_number_per_day.csv")
    assert reading.counts.rejected == 0
    assert [question.key for question in reading.unanswered] == ["day"]


def test_days_that_differ_are_asked_about():
    asked = read_text("helios-capacity", DAYS)
    assert [question.key for question in asked.unanswered] == ["day"]
    chosen = read_text("helios-capacity", DAYS, {"day": "2020-04-02"})
    assert list(zip(chosen.table["name"], chosen.table["gpus"], strict=True)) == [
        ("vcA-1", 8), ("vcA-2", 8), ("vcA-3", 4), ("vcB-1", 8),
    ]  # fmt: skip
    assert chosen.counts.in_file == 3 + 3
    with pytest.raises(FormatError, match="answer day"):
        read_text("helios-capacity", DAYS, {"day": "2020-04-03"})


@pytest.mark.parametrize(
    ("row", "column"),
    [("2020-04-03,20,8,30", "total"), ("2020-04-03,-20,8,28", "vcA"), ("3 April,20,8,28", "date"),
     ("2020-04-02,20,8,28", "date"), ("2020-04-03,20,1e99,28", "vcB")],
)  # fmt: skip
def test_days_that_cannot_be_are_refused(row, column):
    reading = read_text("helios-capacity", DAYS + row + "\n", {"day": "2020-04-01"})
    assert [issue.column for issue in reading.rejected] == [column]
    assert reading.totals["gpus"] == 20
