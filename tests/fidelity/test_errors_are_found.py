"""A comparison that cannot fail proves nothing: one wrong second in one line of a results file is reported."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from simulation.cli.main import main

CASE = "tiresias/60_job-n2g8/fifo-yarn"


def results_of(reference: Path) -> Path:
    return reference / "tiresias" / "60_job-n2g8" / "results-fifo-yarn.csv"


def change(path: Path, line: int, column: str, value: str) -> None:
    with path.open(newline="") as lines:
        rows = list(csv.reader(lines))
    rows[line][rows[0].index(column)] = value
    with path.open("w", newline="") as lines:
        csv.writer(lines).writerows(rows)


def failing(reference: Path, capsys: pytest.CaptureFixture[str], case: str = CASE) -> list[str]:
    code = main(["fidelity", case, "--reference", str(reference), "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert rows
    found = [row["quantity"] for row in rows if row["verdict"] == "fail"]
    assert code == (1 if found else 0)
    return found


def test_untouched_files_agree(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failing(small_reference, capsys) == []


@pytest.mark.parametrize("column", ["start", "end"])
def test_one_second_in_one_job_fails(small_reference: Path, column: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = results_of(small_reference)
    with path.open(newline="") as lines:
        value = float(list(csv.DictReader(lines))[30][column])
    change(path, 31, column, str(value + 1))
    assert "jobs that start and end alike" in failing(small_reference, capsys)


def test_a_job_that_the_trace_does_not_have_fails(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(results_of(small_reference), 5, "job_id", "6000")
    assert "jobs that start and end alike" in failing(small_reference, capsys)


def test_a_job_that_never_ended_there_fails(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(results_of(small_reference), 5, "end", "")
    assert {"jobs that ended", "jobs that start and end alike"} <= set(failing(small_reference, capsys))


def test_a_preemption_too_many_fails(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(results_of(small_reference), 5, "preemptions", "1")
    assert failing(small_reference, capsys) == ["preemptions"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            lambda path: change(path, 3, "end", "soon"),
            "fifo-yarn.csv, line 4: end is 'soon', expected a number",
        ),
        (lambda path: path.with_name("results-nonsense-yarn.csv").write_bytes(path.read_bytes()), "policy 'nonsense'"),
        (lambda path: (path.parents[1] / "60_job.csv").unlink(), "60_job.csv"),
        (lambda path: (path.parents[1] / "n2g8.csv").unlink(), "n2g8.csv"),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "results-fifo-yarn.csv"),
        (lambda path: path.write_text(""), "results-fifo-yarn.csv"),
    ],
)
def test_what_cannot_be_read_fails_and_is_named(
    small_reference: Path, damage: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(results_of(small_reference))  # type: ignore[operator]
    failures = failing(small_reference, capsys, "tiresias")
    assert any(said in quantity for quantity in failures), failures
