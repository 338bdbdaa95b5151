"""The engine, under the profile of a peer, starts and ends every job as the peer did."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.fidelity.cases import names_of, run_cases
from simulation.fidelity.peers import PROFILES

QUICK = (
    "tiresias/60_job-n2g8",
    "tiresias/philly_trace3-n8g8/shortest-gpu-count",
    "muri/trace3-n8g8/shortest",
)


def assert_agrees(reference: Path, names: tuple[str, ...]) -> None:
    found = [row for rows in run_cases(names, reference) for row in rows]
    assert found
    assert [row.document() for row in found if row.verdict != "pass"] == []


@pytest.mark.parametrize("name", QUICK)
def test_small_cases_agree(reference: Path, name: str) -> None:
    assert_agrees(reference, (name,))


@pytest.mark.slow
@pytest.mark.parametrize("peer", [profile.folder for profile in PROFILES])
def test_every_case_of_a_peer_agrees(reference: Path, peer: str) -> None:
    assert_agrees(reference, (peer,))


def test_every_results_file_of_tiresias_and_muri_is_a_case(reference: Path) -> None:
    names = names_of(reference)
    for path in [*reference.glob("tiresias/*/results-*.csv"), *reference.glob("muri/*/results-*.csv")]:
        assert f"{path.parent.parent.name}/{path.parent.name}/{path.stem.removeprefix('results-')}" in names


@pytest.mark.parametrize("trace", ["tiresias/philly_trace2", "tiresias/philly_trace4", "muri/trace4"])
def test_traces_without_results_are_cases_too(reference: Path, trace: str) -> None:
    assert any(name.startswith(trace) for name in names_of(reference))
