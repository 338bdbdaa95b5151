"""Programs of others take a bundle: the validator and a reader of RO-Crates, Frictionless, and sha256sum."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import frictionless
import pytest
import rocrate
from rocrate.rocrate import ROCrate
from rocrate_validator import services
from rocrate_validator.models import Severity
from rocrate_validator.utils.http import HttpRequester

from simulation.bundles.guard import unpack
from tests.simulation.bundles.material import forged, run_bundle, study_bundle

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the libraries that these programs use

BUNDLES = pytest.mark.parametrize("bundle", [run_bundle, study_bundle])


class Stored:
    """The one address that the validator asks for, answered from the copy that comes with the library."""

    status_code, ok, from_cache = 200, True, True
    headers = {"Content-Type": "application/ld+json"}
    text = (Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_text()

    def json(self) -> Any:
        return json.loads(self.text)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []

    def answer(self: HttpRequester, url: str, **_: Any) -> Stored:
        addresses.append(url)
        return Stored()

    monkeypatch.setattr(HttpRequester, "get", answer, raising=False)
    monkeypatch.setattr(HttpRequester, "head", answer, raising=False)
    return addresses


def complaints(path: Path, profile: str) -> list[str]:
    settings = services.ValidationSettings(
        rocrate_uri=str(path), profile_identifier=profile, requirement_severity=Severity.RECOMMENDED
    )
    return [f"{issue.check.identifier}: {issue.message}" for issue in services.validate(settings).get_issues()]


@BUNDLES
@pytest.mark.parametrize("profile", ["ro-crate-1.1", "process-run-crate-0.5"])
def test_the_validator_has_nothing_to_say(
    bundle: Callable[[], bytes], profile: str, tmp_path: Path, asked: list[str]
) -> None:
    packed, folder = tmp_path / "bundle.zip", tmp_path / "folder"
    packed.write_bytes(bundle())
    with ZipFile(packed) as archive:
        archive.extractall(folder)
    assert complaints(packed, profile) == []
    assert complaints(folder, profile) == []
    assert set(asked) == {"https://w3id.org/ro/crate/1.1/context"}


def test_the_validator_would_say_something(tmp_path: Path) -> None:
    """So that the test above can fail: without its licence the crate is not what the profile asks for."""
    path = tmp_path / "bundle.zip"
    path.write_bytes(forged(run_bundle(), "ro-crate-metadata.json", lambda c: c.replace(b'"license":', b'"licence":')))
    assert complaints(path, "ro-crate-1.1") != []


@BUNDLES
def test_the_crate_tells_of_every_file(bundle: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle())
    crate = ROCrate(path)
    described = {entity.id for entity in crate.get_entities() if "File" in entity.type}
    assert described == unpack(bundle()).keys() - {"ro-crate-metadata.json", "CHECKSUMS.sha256"}
    assert crate.mainEntity is None
    assert crate.root_dataset["mentions"].type == "CreateAction"


@BUNDLES
def test_the_tables_are_as_their_schema_says(bundle: Callable[[], bytes], tmp_path: Path) -> None:
    with_files(bundle(), tmp_path)
    report = frictionless.validate(str(tmp_path / "datapackage.json"))
    assert report.flatten(["rowNumber", "fieldName", "note"]) == []
    assert report.stats["tasks"] >= 8


def test_a_word_that_is_no_origin_is_found(tmp_path: Path) -> None:
    with_files(forged(run_bundle(), "outputs/metrics.csv", lambda c: c.replace(b"simulated", b"guessed")), tmp_path)
    report = frictionless.validate(str(tmp_path / "datapackage.json"))
    assert ("provenance", "constraint-error") in {tuple(f) for f in report.flatten(["fieldName", "type"])}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is missing")
def test_sha256sum_agrees(tmp_path: Path) -> None:
    with_files(study_bundle(), tmp_path)
    done = subprocess.run(["sha256sum", "--check", "--strict", "CHECKSUMS.sha256"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout


def with_files(bundle: bytes, folder: Path) -> None:
    for name, content in unpack(bundle).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
