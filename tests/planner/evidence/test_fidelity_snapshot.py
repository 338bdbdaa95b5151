"""The kept rows of agreement are those that the engine prints, for every case that lies in the reference folder."""

from __future__ import annotations

import json

import pytest

from planner.evidence import fidelity
from planner.evidence.fidelity import Row, agreement
from planner.evidence.fidelity_peers import PEERS, peer_of
from scripts import fidelity_snapshot
from simulation.cli.main import main
from simulation.fidelity.cases import names_of


def row(case, quantity="mean JCT", theirs=100.0, ours=101.0, verdict="pass", speedup=None, tolerance=2.0):
    error = None if ours is None else abs(ours - theirs)
    return Row(case, quantity, theirs, ours, tolerance, "s", speedup, error, verdict)


@pytest.fixture
def kept():
    found = agreement()
    assert found is not None
    return found


def test_every_case_that_can_be_discovered_is_kept(kept, shared_dir):
    assert {r.case for r in kept.rows} == set(names_of(shared_dir / "reference")), f"run {fidelity.MAKE}"


def test_every_peer_of_the_snapshot_is_named_with_its_source(kept):
    assert {r.peer for r in kept.rows} - PEERS.keys() == set()
    assert all(peer.by and peer.source for peer in PEERS.values())
    assert peer_of("mine").title == "mine"


def test_a_verdict_is_what_error_and_tolerance_say(kept):
    for r in kept.rows:
        near = r.error is not None and r.tolerance is not None and r.error <= r.tolerance
        missing = "recorded" if r.ours is None else "reported"
        assert r.verdict == (missing if r.tolerance is None else "pass" if near else "fail"), r


def test_the_engine_prints_rows_that_a_snapshot_holds(tmp_path, capsys):
    main(["fidelity", "worked-example", "--json"])
    rows = json.loads(capsys.readouterr().out)
    path = tmp_path / "fidelity.json"
    path.write_text(fidelity_snapshot.snapshot(rows, "2026-11-29"))
    found = agreement(path)
    assert [r.quantity for r in found.rows] == [r["quantity"] for r in rows]
    assert not found.stale
    assert len(path.read_text().splitlines()) == len(rows) + 2


def test_groups_count_verdicts_jobs_and_times():
    rows = (
        row("gavel/a/x", "jobs that start and end alike", 20.0, 19.0, "fail", 3.0, 0.0),
        row("gavel/a/x", speedup=3.0),
        row("gavel/b/y", verdict="reported", tolerance=None, speedup=9.0),
        row("sia/a/z", ours=None, verdict="recorded", tolerance=None),
    )
    gavel, sia = fidelity.Agreement("1", "2026-01-01", "c", rows).groups()
    assert (gavel.peer.title, [case.name for case in gavel.cases]) == ("Gavel", ["gavel/a/x", "gavel/b/y"])
    assert gavel.counts == {"pass": 1, "fail": 1, "reported": 1, "recorded": 0}
    assert gavel.alike == (19, 20)
    assert gavel.faster == (3.0, 6.0, 9.0)
    assert (sia.alike, sia.faster) == (None, None)


def test_without_a_snapshot_there_is_nothing(tmp_path):
    assert agreement(tmp_path / "none.json") is None
