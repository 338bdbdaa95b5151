"""Benchmarks are collected by `make bench` alone. Ratios are of one run on one machine; nothing is asserted."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest

from simulation import ENGINE_VERSION

FIGURES = pytest.StashKey[list[str]]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if config.getoption("benchmark_only") else True


class Say(Protocol):
    """`value` in `unit`; `least` or `most`: what is asked of it; `beside`: the yardstick of the same run."""

    def __call__(
        self, text: str, *, value: float | None = None, unit: str = "", least: float | None = None,
        most: float | None = None, beside: float | None = None,
    ) -> None: ...  # fmt: skip


@pytest.fixture
def figure(request: pytest.FixtureRequest, benchmark: Any) -> Say:
    """Says a line in the summary at the end of the run, and keeps it with its numbers in the JSON of the run."""
    lines = request.config.stash.setdefault(FIGURES, [])

    def say(text: str, **measured: Any) -> None:
        lines.append(text)
        benchmark.extra_info.setdefault("figures", []).append({"text": text, **measured})

    return say


def pytest_benchmark_update_machine_info(config: pytest.Config, machine_info: dict[str, Any]) -> None:
    machine_info["engine"] = ENGINE_VERSION


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if lines := config.stash.get(FIGURES, []):
        terminalreporter.section("figures, all of this run")
        for line in lines:
            terminalreporter.write_line(line)
