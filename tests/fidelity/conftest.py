"""The folder of reference runs, and parts of it that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process compiles the loops of the profiles; they are not among those that `make test` compiles for all."""
    for item in items:
        if item.nodeid.startswith("tests/fidelity/"):
            item.add_marker(pytest.mark.xdist_group("fidelity"))


@pytest.fixture(scope="session")
def reference(shared_dir: Path) -> Path:
    return shared_dir / "reference"


@pytest.fixture
def small_reference(reference: Path, tmp_path: Path) -> Path:
    """A copy that holds one small run of Tiresias under two policies, and the index."""
    peer = tmp_path / "tiresias"
    (peer / "60_job-n2g8").mkdir(parents=True)
    shutil.copy(reference / "index-training.csv", tmp_path)
    for name in (
        "60_job.csv",
        "n2g8.csv",
        "60_job-n2g8/results-fifo-yarn.csv",
        "60_job-n2g8/results-dlas-gpu-count.csv",
    ):
        shutil.copy(reference / "tiresias" / name, peer / name)
    return tmp_path
