"""Standard Workload Format: -1 is unknown, processors are no GPUs by themselves, parts of a job count once."""

from __future__ import annotations

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.measured import measured_waits
from simulation.provenance import Origin
from tests.simulation.formats.conftest import read_text

HEAD = "; Version: 2.2\n; UnixStartTime: 1772352000\n; MaxProcs: 64\n"
CORES, ONE_EACH = {"processors": "cores"}, {"processors": "1"}


def line(job=1, submit=0, wait=10, run=100, procs=4, status=1, limit=-1, memory=-1):
    return f"{job} {submit} {wait} {run} {procs} -1 {memory} -1 {limit} -1 {status} 7 2 1 0 -1 -1 -1\n"


def read_lines(*lines, answers=ONE_EACH, head=HEAD):
    return read_text("swf", head + "".join(lines), answers)


def test_the_first_jobs_of_the_ipsc_log(sample):
    """The README of the sample speaks of 25 jobs; the file has 24 lines of jobs, and 24 is what is read."""
    path = "swf/nasa_ipsc_first_25_jobs.swf"
    assert [question.key for question in sample("swf", path).unanswered] == ["processors"]
    reading = sample("swf", path, CORES)
    assert reading.totals["jobs"] == 24
    assert reading.totals["max_procs"] == 128
    assert reading.totals["unknown_waits"] == 24
    assert (reading.totals["zone"], reading.totals["starts_s"]) == ("US/Pacific", 749_458_803)
    assert reading.table["submit_s"][0] == 749_458_803
    assert measured_waits(reading.table).wait.n == 0
    assert reading.table["gpus"] == [None] * 24
    assert any("unknown, not 0" in fact for fact in reading.facts)
    assert any("Bill Nitzberg" in fact for fact in reading.facts)


def test_processors_as_gpus_are_an_assumption():
    reading = read_lines(line(procs=9), answers={"processors": "8"})
    assert (reading.table["gpus"], reading.origin) == ([2], Origin.ASSUMED)
    cores = read_lines(line(procs=9), answers=CORES)
    assert (cores.table["gpus"], cores.table["cpus"], cores.origin) == ([None], [9], Origin.MEASURED)


@pytest.mark.parametrize("answer", ["gpus", "0", "-1", "1.5", "99999"])
def test_processors_that_nobody_can_mean(answer):
    with pytest.raises(FormatError, match="processors"):
        read_lines(line(), answers={"processors": answer})


def test_times_of_a_job():
    row = read_lines(line(submit=60, wait=10, run=100, limit=3600)).table.row(0)
    assert (row["submit_s"], row["start_s"], row["end_s"]) == (1_772_352_060, 1_772_352_070, 1_772_352_170)
    assert (row["gpu_s"], row["timelimit_s"], row["outcome"]) == (400, 3_600, "finished")


def test_a_log_without_start_counts_from_its_beginning():
    assert read_lines(line(submit=60), head="").table["submit_s"] == [60]


@pytest.mark.parametrize(
    ("status", "run", "outcome", "attempts"),
    [
        (0, 100, "failed", 1),
        (1, 100, "finished", 1),
        (5, 100, "cancelled", 1),
        (5, 0, "cancelled", 0),
        (5, -1, "cancelled", 0),
    ],
)
def test_statuses(status, run, outcome, attempts):
    row = read_lines(line(status=status, run=run)).table.row(0)
    assert (row["outcome"], row["attempts"]) == (outcome, attempts)


def test_parts_of_a_job_count_once_with_its_summary():
    parts = line(run=60, status=2), line(submit=200, run=40, status=3), line(run=100, status=1)
    reading = read_lines(*parts)
    assert (reading.table["elapsed_s"], reading.counts.folded) == ([100], 2)


def test_parts_without_a_summary_are_joined_and_said():
    reading = read_lines(line(run=60, status=2), line(submit=200, run=40, status=4))
    row = reading.table.row(0)
    assert (row["elapsed_s"], row["attempts"], row["outcome"], row["end_s"]) == (100, 2, "failed", None)
    assert "without a summary line" in reading.warned[0].reason
    assert reading.counts.folded == 1


def test_more_processors_than_the_machine_has_are_told():
    assert "more than the machine has" in read_lines(line(procs=128)).warned[0].reason


def test_a_job_twice_counts_once_and_never_in_two_ways():
    assert read_lines(line(), line()).counts.folded == 1
    assert read_lines(line(), line(run=5)).counts.rejected == 1


@pytest.mark.parametrize(
    "broken",
    [
        "1 0 10 100 4\n",
        line().replace(" 100 ", " many "),
        line().replace(" 100 ", " NaN "),
        line(run=-5),
        line(run=10**12),
        line(wait=10**12),
        line(job=-1),
        line(job=1.5),
        line(procs=10**12),
    ],
)
def test_broken_lines_refuse_themselves_alone(broken):
    reading = read_lines(broken, line(job=2))
    assert [issue.line for issue in reading.rejected] == [4]
    assert reading.table["id"] == ["2"]


@pytest.mark.parametrize("start", ["soon", "1", "99999999999"])
def test_a_start_of_the_log_that_cannot_be(start):
    with pytest.raises(FormatError, match="UnixStartTime"):
        read_lines(line(), head=f"; UnixStartTime: {start}\n")


def test_order_of_lines_is_nothing():
    jobs = line(), line(job=2, submit=5), line(job=3, submit=5)
    assert read_lines(*jobs).digest() == read_lines(*reversed(jobs)).digest()
