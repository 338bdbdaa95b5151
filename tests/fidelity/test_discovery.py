"""What lies in the folder is a case; nothing names a single file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from simulation.cli.main import main
from simulation.fidelity.cases import names_of
from simulation.fidelity.discovery import discover


def rows(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    main(["fidelity", *arguments, "--json"])
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_a_results_file_that_is_added_becomes_a_case(
    small_reference: Path, reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    added = "tiresias/60_job-n2g8/shortest-count"
    assert added not in names_of(small_reference)
    shutil.copy(reference / "tiresias/60_job-n2g8/results-shortest-count.csv", small_reference / "tiresias/60_job-n2g8")
    found = rows([added, "--reference", str(small_reference)], capsys)
    assert {row["case"] for row in found} == {added}
    assert {row["verdict"] for row in found} == {"pass"}


def test_a_run_with_a_trace_and_a_cluster_of_other_names_becomes_a_case(
    small_reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = small_reference / "tiresias"
    shutil.copy(peer / "60_job.csv", peer / "my_trace.csv")
    shutil.copy(peer / "n2g8.csv", peer / "mine.csv")
    shutil.copytree(peer / "60_job-n2g8", peer / "my_trace-mine")
    found = rows(["tiresias/my_trace-mine", "--reference", str(small_reference)], capsys)
    assert {row["case"] for row in found} == {
        "tiresias/my_trace-mine/fifo-yarn",
        "tiresias/my_trace-mine/dlas-gpu-count",
    }
    assert {row["verdict"] for row in found} == {"pass"}


def test_how_many_times_faster_is_known_where_their_time_is(small_reference: Path) -> None:
    (small_reference / "tiresias/60_job-n2g8/results-fjf-count.csv").write_bytes(
        (small_reference / "tiresias/60_job-n2g8/results-fifo-yarn.csv").read_bytes()
    )
    known = {case.name: case.their_cpu_s for case in discover(small_reference)}
    assert known["tiresias/60_job-n2g8/fifo-yarn"] == 0.09
    (small_reference / "index-training.csv").unlink()
    assert {case.their_cpu_s for case in discover(small_reference)} == {None}


def test_speed_is_told_with_each_row(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for row in rows(["tiresias/60_job-n2g8/fifo-yarn", "--reference", str(small_reference)], capsys):
        assert isinstance(row["speedup"], float)
    (small_reference / "index-training.csv").unlink()
    for row in rows(["tiresias/60_job-n2g8/fifo-yarn", "--reference", str(small_reference)], capsys):
        assert row["speedup"] is None


def test_without_a_folder_the_built_in_case_remains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADROOM_SHARED", str(tmp_path / "nowhere"))
    assert names_of(None) == ["worked-example"]
    assert main(["fidelity", "--json"]) == 0
    said = capsys.readouterr()
    assert {row["case"] for row in json.loads(said.out)} == {"worked-example"}
    assert "No folder of reference runs" in said.err


def test_a_case_that_does_not_exist_is_refused(small_reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", "tiresias/60_job-n2g8/fifo", "--reference", str(small_reference)]) == 2
    assert "no case 'tiresias/60_job-n2g8/fifo'" in capsys.readouterr().err
