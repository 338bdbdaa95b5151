"""Reading files of the reference folder, and files written in a test, in one line."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from simulation.formats.limits import DEFAULT_LIMITS, Limits
from simulation.formats.reading import Reading
from simulation.formats.registry import read


@pytest.fixture
def sample(shared_dir: Path) -> Callable[..., Reading]:
    """Read `samples/<path>` of the reference folder in a format, under answers."""

    def read_sample(slug: str, path: str, answers: Mapping[str, str] | None = None) -> Reading:
        return read(slug, shared_dir / "samples" / path, answers)

    return read_sample


@pytest.fixture
def trace(shared_dir: Path) -> Callable[..., Reading]:
    """Read `traces/<path>` of the reference folder in a format."""

    def read_trace(slug: str, path: str) -> Reading:
        return read(slug, shared_dir / "traces" / path)

    return read_trace


def read_text(
    slug: str,
    text: str | bytes,
    answers: Mapping[str, str] | None = None,
    *,
    filename: str = "upload",
    limits: Limits = DEFAULT_LIMITS,
) -> Reading:
    """Read content that is written in the test."""
    data = text if isinstance(text, bytes) else text.encode()
    return read(slug, io.BytesIO(data), answers, filename=filename, limits=limits)
