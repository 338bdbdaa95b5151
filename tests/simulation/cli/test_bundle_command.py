"""From a scenario file to a verified bundle, on the command line alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.bundles.read import read_bundle
from simulation.cli.main import main
from tests.simulation.bundles.material import scenario


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.json"
    path.write_text(scenario().model_dump_json())
    return path


@pytest.mark.parametrize("options", [[], ["--seeds", "2"], ["--anonymise"]])
def test_what_bundle_writes_verify_confirms(
    options: list[str], scenario_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "b.zip"
    assert main(["bundle", str(scenario_file), "--out", str(out), *options]) == 0
    assert main(["verify", str(out)]) == 0
    assert "all results are equal" in capsys.readouterr().out


def test_one_seed_comes_with_its_jobs_and_title(scenario_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "b.zip"
    main(["bundle", str(scenario_file), "--out", str(out), "--title", "Is it enough?", "--licence", "CC0-1.0"])
    bundle = read_bundle(out.read_bytes())
    assert (bundle.description.title, bundle.description.jobs.rows) == ("Is it enough?", 20)
    assert b"CC0-1.0" in bundle.files["ro-crate-metadata.json"]


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--seeds", "0"], "--seeds is 0, expected 1 or more"), (["--out", "/nowhere/b.zip"], "/nowhere/b.zip: No such")],
)
def test_wrong_input_is_told(
    options: list[str], said: str, scenario_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bundle", str(scenario_file), "--out", str(tmp_path / "b.zip"), *options]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()
