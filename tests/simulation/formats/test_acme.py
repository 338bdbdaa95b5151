"""Acme: run times of Seren and Kalos come from start and end, whatever duration and gpu_time claim."""

from __future__ import annotations

import io

import pytest

from tests.simulation.formats.conftest import read_text

HEADER = "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n"
ROW = (
    "1,u,2,16,128,Pretrain,COMPLETED,2023-03-01 00:00:00+08:00,2023-03-01 00:01:00+08:00,2023-03-01 01:01:00+08:00,"
    "3600,60,57600.0\n"
)


def test_two_jobs_of_seren(sample):
    reading = sample("acme", "acme-csv/trace_seren_two_jobs.csv")
    table = reading.table
    assert reading.ready
    assert table["gpu_s"] == [936, 21_544]
    assert [start - submit for start, submit in zip(table["start_s"], table["submit_s"], strict=True)] == [32, 13]
    assert reading.counts.warned == 0


def test_two_jobs_of_kalos_run_without_their_wait(sample):
    reading = sample("acme", "acme-csv/trace_kalos_two_jobs.csv")
    assert reading.table["elapsed_s"] == [8, 70]
    assert reading.table["gpu_s"] == [512, 4480]
    claims = [issue.value for issue in reading.warned if issue.column == "gpu_time"]
    assert [float(claim) for claim in claims] == [1152, 5248]
    assert reading.counts.warned == 2
    assert reading.table["memory_bytes"] == [8_000 * 10**9] * 2


def test_times_without_an_offset_are_asked_about():
    assert read_text("acme", HEADER + ROW).questions == ()
    asked = read_text("acme", HEADER + ROW.replace("+08:00", ""))
    assert [question.key for question in asked.unanswered] == ["time_zone"]


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        (",16,128,", ",-16,128,", "gpu_num"),
        (",16,128,", ",0x10,128,", "gpu_num"),
        ("01:01:00+08:00", "00:00:59+08:00", "end_time"),
        ("2023-03-01 00:00:00+08:00", "2023-02-30 00:00:00+08:00", "submit_time"),
        ("57600.0", "1e400", "gpu_time"),
    ],
)
def test_impossible_cells_refuse_their_row(old, new, column):
    reading = read_text("acme", HEADER + ROW.replace(old, new) + ROW)
    assert (len(reading.table), reading.rejected[0].column) == (1, column)


def test_a_row_that_is_cut_off_is_refused():
    reading = read_text("acme", HEADER + ROW + ROW[:60])
    assert (len(reading.table), reading.counts.rejected) == (1, 1)


def test_formulas_leave_as_text():
    reading = read_text("acme", HEADER + ROW.replace("1,u,", "1,=1+1,"))
    out = io.StringIO()
    reading.table.write_csv(out)
    assert "'=1+1" in out.getvalue()
