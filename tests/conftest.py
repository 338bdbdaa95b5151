"""Fixtures that every test may use, and what happens where a program is missing."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from _pytest.nodeid import coerce_node_id

from simulation.kernel_cache import engine_digest
from tests.programs import PROBES, strict

ROOT = Path(__file__).resolve().parents[1]


def _own_kernels() -> Path:
    """A folder of compiled kernels for this test process, kept between sessions while the engine stays the same.

    Two processes that compile into one folder at once may spoil it, so each begins with a copy of what `make test` has
    compiled for all of them.
    """
    compiled = ROOT / "var" / "kernels" / engine_digest()
    mine = ROOT / "var" / "kernels-of-tests" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
    own = mine / engine_digest()
    if compiled.is_dir() and not own.is_dir():
        shutil.rmtree(mine, ignore_errors=True)
        shutil.copytree(compiled, own)
    return own


if "NUMBA_CACHE_DIR" not in os.environ or "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(_own_kernels())
os.environ.setdefault("OMP_NUM_THREADS", "1")


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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Groups stand in the ids of tests. xdist 3.8 writes them where pytest 9 does not read any more."""
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group and getattr(config.option, "loadgroup", False) and "@" not in item.nodeid.rpartition("]")[2]:
            item._id = coerce_node_id(f"{item.nodeid}@{group.args[0]}")  # type: ignore[attr-defined]


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, (probe, reason) in PROBES.items():
        if item.get_closest_marker(marker) and probe() is None:
            if strict():
                pytest.fail(f"{reason}; STRICT=1 allows no skip", pytrace=False)
            pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count what was left out for want of a program, so that nobody takes a partial run for a whole one."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    missing = Counter(reason for _, reason in PROBES.values() for text in skipped if reason in text)
    for reason, count in sorted(missing.items()):
        terminalreporter.write_line(f"{count} tests were left out: {reason}")
