"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared_folder() -> Path | None:
    """The folder of reference data: HEADROOM_SHARED, or ../shared beside the checkout."""
    given = os.environ.get("HEADROOM_SHARED")
    path = Path(given) if given else ROOT.parent / "shared"
    return path if path.is_dir() else None


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    path = shared_folder()
    if path is None:
        pytest.skip("reference data folder ../shared is missing")
    return path
