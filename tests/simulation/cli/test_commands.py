"""The command line as others rely on it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from simulation.cli.main import main
from tests.simulation.building import TRAINING, pool, random_jobs, training


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.json"
    path.write_text(training(random_jobs(1, 20), "srtf", [pool(3, 8)]).model_dump_json())
    return path


def test_run_writes_results_with_a_manifest(scenario_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["run", str(scenario_file), "--out", str(out)]) == 0
    manifest = json.loads((out / "manifest.json").read_text())
    assert sorted(manifest["files"]) == ["jobs.csv", "metrics.json", "requests.csv", "spans.csv"]
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    assert json.loads((out / "metrics.json").read_text())["metrics"]["jct_mean_s"]["value"] > 0
    assert len((out / "jobs.csv").read_text().splitlines()) == 21


def test_run_repeats_byte_for_byte(scenario_file: Path, tmp_path: Path) -> None:
    for out in ("one", "two"):
        main(["run", str(scenario_file), "--out", str(tmp_path / out), "--seed", "3"])
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_run_prints_json(scenario_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", str(scenario_file), "--out", str(tmp_path / "out"), "--json"])
    assert json.loads(capsys.readouterr().out)["manifest"]["seed"] == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["cluster"]["pools"][0].update(nodes=-1), "cluster.pools.0.nodes is -1"),
        (lambda d: d.update(colour="red"), "colour is 'red'"),
        (lambda d: d["training"].update(system="nonsense"), "system 'nonsense': expected one for training"),
        (lambda d: d["training"].update(parameters={"ordering.x": 1}), "parameter 'ordering.x'"),
        (lambda d: d["workload"]["jobs"]["duration_s"].__setitem__(2, -5.0), "job j2: duration_s is -5.0"),
    ],
)
def test_a_bad_scenario_is_explained(
    change: object, said: str, scenario_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(scenario_file.read_text())
    change(document)  # type: ignore[operator]
    scenario_file.write_text(json.dumps(document))
    assert main(["run", str(scenario_file), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert str(scenario_file) in error
    assert said in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[1, 2", b"[]"])
def test_what_is_no_scenario_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 2
    assert str(path) in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "no.json"), "--out", str(tmp_path / "out")]) == 2
    assert "no.json: No such file" in capsys.readouterr().err


def test_systems_lists_recipes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["systems", "--json"]) == 0
    systems = json.loads(capsys.readouterr().out)
    assert set(TRAINING) < {s["slug"] for s in systems if s["workload"] == "training"}
    for system in systems:
        assert {"slug", "name", "workload", "objectives", "resources", "recipe"} <= system.keys()


def test_fidelity_lists_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", "worked-example", "--json"]) == 0
    for row in json.loads(capsys.readouterr().out):
        assert {"case", "quantity", "theirs", "ours", "error", "tolerance", "verdict"} <= row.keys()


def test_fidelity_refuses_an_unknown_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", "nonsense"]) == 2
    assert "no case 'nonsense'" in capsys.readouterr().err


def test_fidelity_exits_1_where_a_row_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from simulation.fidelity import cases
    from simulation.fidelity.rows import Row

    monkeypatch.setitem(cases.BUILT_IN, "worked-example", lambda: [Row("c", "q", 1.0, 2.0)])
    assert main(["fidelity", "worked-example"]) == 1
