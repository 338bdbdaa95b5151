"""`convert`: tables on disk, refusals beside them, open questions listed with their options."""

from __future__ import annotations

import argparse
import csv
import json

import pytest

from simulation.cli import convert
from tests.simulation.formats.test_every_row_is_accounted_for import LINE_FILES


@pytest.fixture
def run(tmp_path):
    def call(slug, text, *options):
        file = tmp_path / "input.txt"
        file.write_text(text)
        parser = argparse.ArgumentParser()
        convert.add_parser(parser.add_subparsers())
        args = parser.parse_args(["convert", slug, str(file), "--out", str(tmp_path / "out"), *options])
        return args.main(args), tmp_path / "out"

    return call


def rows_of(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_table_refusals_and_report_are_written(run, capsys):
    text = LINE_FILES["philly-csv"] + "2017-10-09 07:01:55,-1,1,1,=cmd()\n"
    code, out = run("philly-csv", text)
    assert code == convert.OK
    assert [row["gpus"] for row in rows_of(out / "jobs.csv")] == ["1", "2"]
    (refused,) = rows_of(out / "rejected.csv")
    assert (refused["line"], refused["column"], refused["reason"]) == ("4", "duration", "a negative duration")
    assert refused["value"] == "'-1"
    report = json.loads((out / "reading.json").read_text())
    assert report["counts"]["rejected"] == 1
    assert report["answers"] == {"time_zone": "America/Los_Angeles"}
    assert len(report["sha256"]) == 64
    assert "rows in file 4 = accepted 1 + warned 1 + rejected 1" in capsys.readouterr().out


def test_open_questions_stop_it_with_their_options(run, capsys):
    code, out = run("slurm-sacct", LINE_FILES["slurm-sacct"])
    assert code == convert.WRONG_INPUT
    assert not out.exists()
    told = capsys.readouterr().err
    assert "--answer time_zone=Europe/Berlin" in told


def test_answers_are_taken(run):
    code, out = run("slurm-sacct", LINE_FILES["slurm-sacct"], "--answer", "time_zone=UTC")
    assert code == convert.OK
    assert [row["id"] for row in rows_of(out / "jobs.csv")] == ["7", "8_1"]


def test_questions_and_report_as_json(run, capsys):
    assert run("slurm-sacct", LINE_FILES["slurm-sacct"], "--json")[0] == convert.WRONG_INPUT
    asked = json.loads(capsys.readouterr().out)
    assert [question["key"] for question in asked["questions"]] == ["time_zone"]
    assert run("azure-llm", LINE_FILES["azure-llm"], "--json")[0] == convert.OK
    assert json.loads(capsys.readouterr().out)["totals"]["requests"] == 2


def test_the_format_can_be_found(run):
    assert run("auto", LINE_FILES["openb-pods"])[0] == convert.OK


def test_what_cannot_be_read_is_told_in_one_line(run, capsys):
    assert run("philly-csv", "nothing of it\n")[0] == convert.WRONG_INPUT
    assert run("auto", "nothing of it\n")[0] == convert.WRONG_INPUT
    assert run("philly-csv", LINE_FILES["philly-csv"].split("\n")[0] + "\nx,1,1,1,a\n")[0] == convert.WRONG_INPUT
    told = capsys.readouterr().err
    assert "input.txt, line 1, column timestamp" in told
    assert "Traceback" not in told


def test_an_answer_to_no_question_is_an_error(run, capsys):
    assert run("azure-llm", LINE_FILES["azure-llm"], "--answer", "zone=UTC")[0] == convert.WRONG_INPUT
    assert "--answer: found 'zone', expected the key of a question" in capsys.readouterr().err
