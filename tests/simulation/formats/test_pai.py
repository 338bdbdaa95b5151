"""Alibaba PAI: jobs out of several tables in one archive, parts of GPUs, and the machines."""

from __future__ import annotations

import io
import zipfile

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.limits import Limits
from simulation.formats.registry import detect
from simulation.formats.workload import SHARES, job_table
from tests.simulation.formats.conftest import read_text

JOB = "jobA,instA,user1,Terminated,10000.0,17260.0\n"
TASK = "jobA,worker,2.0,Terminated,10060.0,17260.0,600.0,29.296875,100.0,V100\n"
PS = "jobA,ps,1.0,Terminated,10060.0,17260.0,600.0,29.296875,,\n"


def packed(**tables: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(f"{name}.csv", text)
    return stream.getvalue()


def pai(job: str = JOB, task: str = TASK, answers: dict[str, str] | None = None, **more: str):
    return read_text("pai-jobs", packed(pai_job_table=job, pai_task_table=task, **more), answers, filename="pai.zip")


@pytest.fixture
def folder(shared_dir):
    return shared_dir / "samples" / "alibaba-pai-2020"


def test_two_jobs_seen_through_four_tables(folder):
    content = packed(**{path.stem: path.read_text() for path in sorted(folder.glob("*.csv"))})
    assert detect(content, "tables.zip")[0].slug == "pai-jobs"
    reading = read_text("pai-jobs", content, filename="tables.zip")
    a, b = reading.table.rows()
    assert (a["gpus"], a["gpu_share"], a["gpu_model"]) == (1, 0.5, "MISC")
    assert (a["start_s"] - a["submit_s"], a["elapsed_s"], a["gpu_s"]) == (60, 7200, 3600)
    assert (b["gpus"], b["gpu_share"], b["gpu_model"], b["nodes"]) == (2, None, "V100", 1)
    assert (b["start_s"] - b["submit_s"], b["elapsed_s"]) == (30, 600)
    assert b["gpu_s"] / 3600 == pytest.approx(0.3333, abs=5e-5)
    assert (a["cpus"], a["memory_bytes"]) == (6, 30_000 * 1024**2)
    assert (reading.counts.in_file, reading.counts.folded) == (7, 5)
    assert job_table(reading.table).left_out == {SHARES: 1}


def test_sixteen_gpus_on_two_machines(folder):
    path = folder / "pai_machine_spec.csv"
    assert detect(path.read_bytes(), path.name)[0].slug == "pai-machines"
    reading = read_text("pai-machines", path.read_bytes())
    assert (reading.totals["gpus"], reading.totals["nodes"]) == (16, 2)
    assert reading.totals["by_model"] == {"MISC": 8, "V100": 8}


def test_an_empty_plan_is_unknown_unless_somebody_says_it_is_none():
    unknown = pai(task=TASK + PS)
    assert (unknown.table["gpus"], unknown.counts.warned) == ([None], 1)
    assert pai(task=TASK + PS, answers={"unplanned": "none"}).table["gpus"] == [2]


def test_parts_of_several_gpus_keep_their_sum():
    reading = pai(task=TASK.replace(",100.0,", ",25.0,") + TASK)
    row = reading.table.row(0)
    assert (row["gpus"], row["gpu_share"], row["gpu_s"]) == (4, 0.625, 2.5 * 7200)
    assert "mean part" in reading.warned[0].reason


def test_a_running_job_has_no_end():
    reading = pai(JOB.replace("Terminated", "Running").replace("17260.0", ""), TASK.replace("17260.0", ""))
    row = reading.table.row(0)
    assert (row["outcome"], row["elapsed_s"], row["end_s"], row["gpu_s"]) == ("running", None, None, None)


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        (",100.0,V", ",-100.0,V", "pai_task_table.plan_gpu"),
        (",100.0,V", ",1e12,V", "pai_task_table.plan_gpu"),
        (",2.0,T", ",2.5,T", "pai_task_table.inst_num"),
        ("17260.0", "10059.0", "pai_task_table.end_time"),
        ("10060.0", "later", "pai_task_table.start_time"),
    ],
)
def test_a_damaged_task_leaves_its_job_unknown(old, new, column):
    reading = pai(task=TASK.replace(old, new))
    assert [issue.column for issue in reading.rejected] == [column]
    assert reading.table["gpus"] == [None]


def test_jobs_and_tasks_that_do_not_meet_are_told():
    reading = pai(JOB + JOB.replace("jobA", "jobB"), TASK + TASK.replace("jobA", "jobC"))
    assert "row in pai_task_table" in reading.warned[0].expected
    assert any("1 jobs stand in pai_task_table alone" in fact for fact in reading.facts)


def test_a_name_that_repeats_counts_once_and_never_in_two_ways():
    reading = pai(JOB + JOB + JOB.replace("user1", "user2"))
    assert (len(reading.table), reading.counts.rejected, reading.counts.in_file) == (1, 1, 4)


def test_a_header_in_front_is_skipped_and_a_cut_off_row_is_refused():
    header = "job_name,inst_id,user,status,start_time,end_time\n"
    reading = pai(header + JOB + JOB[:20])
    assert (len(reading.table), reading.counts.skipped, reading.counts.rejected) == (1, 1, 1)


@pytest.mark.parametrize("content", [packed(pai_job_table=JOB), packed(other="1,2\n"), JOB.encode()])
def test_one_table_is_not_enough(content):
    with pytest.raises(FormatError, match="pai_task_table"):
        read_text("pai-jobs", content, filename="pai_job_table.csv")


def test_an_archive_that_swells_is_refused():
    with pytest.raises(FormatError, match="10,000 bytes"):
        read_text(
            "pai-jobs", packed(pai_job_table=JOB * 1000, pai_task_table=TASK), limits=Limits(expanded_bytes=10_000)
        )


@pytest.mark.parametrize("row", ["m,V100,96,512,-8", "m,V100,96,512,many", ",V100,96,512,8", "m,V100,96,512"])
def test_impossible_machines_are_refused(row):
    reading = read_text(
        "pai-machines", row + "\nm2,V100,96,512,8.0\n" if row.count(",") == 4 else "m2,V100,96,512,8.0\n" + row
    )
    assert (reading.table["gpus"], reading.counts.rejected) == ([8], 1)
