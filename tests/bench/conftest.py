"""Benchmarks are collected by `make bench` alone. Ratios are of one run on one machine; nothing is asserted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FIGURES = pytest.StashKey[list[str]]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if config.getoption("benchmark_only") else True


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Says a line in the summary at the end of the run."""
    lines = request.config.stash.setdefault(FIGURES, [])
    return lines.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash.get(FIGURES, []):
        terminalreporter.section("figures, all of this run")
        for line in lines:
            terminalreporter.write_line(line)
