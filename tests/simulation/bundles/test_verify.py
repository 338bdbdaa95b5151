"""verify runs a bundle again without the website, and names the first byte that does not come out the same."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from simulation.cli.main import main
from tests.conftest import ROOT
from tests.simulation.bundles.material import forged, run_bundle, study_bundle


@pytest.fixture
def verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(content: bytes, *options: str) -> tuple[int, str]:
        path = tmp_path / "bundle.zip"
        path.write_bytes(content)
        code = main(["verify", str(path), *options])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


@pytest.mark.parametrize("bundle", [run_bundle, study_bundle])
def test_an_honest_bundle_comes_out_equal(
    bundle: Callable[[], bytes], verified: Callable[..., tuple[int, str]]
) -> None:
    code, said = verified(bundle())
    assert (code, said.splitlines()[-1].split(": ")[-1]) == (0, "all results are equal")
    assert "differs" not in said


def test_json_tells_the_same(verified: Callable[..., tuple[int, str]]) -> None:
    code, said = verified(run_bundle(), "--json")
    found = json.loads(said)
    assert (code, found["holds"], found["differences"], found["runs"]) == (0, True, [], 1)


def _better_jct(content: bytes) -> bytes:
    rows = content.decode().split("\n")
    cells = rows[1].split(",")
    at = next(i for i, row in enumerate(rows) if ",jct_mean_s," in row)
    cells = rows[at].split(",")
    value = next(i for i, cell in enumerate(cells) if cell == "jct_mean_s") + 1
    cells[value] = "1.5"
    return "\n".join([*rows[:at], ",".join(cells), *rows[at + 1 :]]).encode()


def test_a_changed_value_is_named_by_file_row_and_column(verified: Callable[..., tuple[int, str]]) -> None:
    code, said = verified(forged(study_bundle(), "outputs/metrics.csv", _better_jct))
    assert code == 1
    assert "first difference: outputs/metrics.csv, row 2, column value: the bundle has '1.5', computed was" in said
    assert "equal    outputs/replications.csv" in said
    assert said.splitlines()[-1].endswith("DOES NOT HOLD")


def test_a_changed_record_inside_the_packed_table_is_found(verified: Callable[..., tuple[int, str]]) -> None:
    def change(content: bytes) -> bytes:
        rows = gzip.decompress(content).decode().split("\n")
        rows[3] = rows[3].replace("finished", "waiting")
        return gzip.compress("\n".join(rows).encode(), mtime=0)

    code, said = verified(forged(run_bundle(), "outputs/jobs.csv.gz", change))
    assert code == 1
    assert "outputs/jobs.csv.gz, row 4, column outcome: the bundle has 'waiting', computed was 'finished'" in said


def test_a_row_too_many_is_found(verified: Callable[..., tuple[int, str]]) -> None:
    code, said = verified(forged(run_bundle(), "outputs/front.csv", lambda c: c + b"Free lunch,a,1,b,2,front\n"))
    assert code == 1
    assert "outputs/front.csv, row 3: the bundle has 'a row', computed was 'no such row'" in said


def test_a_document_that_was_touched_is_found_by_its_line(verified: Callable[..., tuple[int, str]]) -> None:
    change = _replace(b'"decisions":{"decisions":', b'"decisions":{"decisions":9')
    code, said = verified(forged(study_bundle(), "outputs/documents.jsonl", change))
    assert code == 1
    assert "outputs/documents.jsonl, row 1: " in said


def test_another_input_is_not_the_one_that_the_bundle_names(verified: Callable[..., tuple[int, str]]) -> None:
    change = _replace(b'"usd_per_gpu_h":"2.50"', b'"usd_per_gpu_h":"1.50"')
    code, said = verified(forged(run_bundle(), "inputs/scenario.json", change))
    assert code == 2
    assert "run.json: scenarios.0: the digest is not that of inputs/scenario.json" in said


def test_elsewhere_the_last_bits_may_differ(verified: Callable[..., tuple[int, str]]) -> None:
    """On the same platform they may not; a bundle that says that it comes from another one is told apart."""

    def nudge(content: bytes) -> bytes:
        head, row, rest = content.decode().split("\n", 2)
        *cells, value = row.split(",")
        return "\n".join([head, ",".join([*cells, repr(float(value) * (1 + 1e-12))]), rest]).encode()

    nudged = forged(study_bundle(), "outputs/replications.csv", nudge)
    code, said = verified(nudged)
    assert code == 1
    assert "within 1e-9" in said
    abroad = forged(nudged, "environment/platform.json", lambda c: c.replace(b'"machine":"', b'"machine":"not-'))
    code, said = verified(abroad)
    assert code == 0
    assert "another platform" in said


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all"])
def test_what_is_no_bundle_is_wrong_input(content: bytes, verified: Callable[..., tuple[int, str]]) -> None:
    code, said = verified(content)
    assert code == 2
    assert "this is no zip archive" in said


def test_no_website_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(run_bundle())
    program = (
        "import sys; from simulation.cli.main import main; code = main(['verify', sys.argv[1]]); "
        "loaded = [m for m in ('django', 'celery', 'planner') if m in sys.modules]; sys.exit(code or bool(loaded))"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _replace(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return change
