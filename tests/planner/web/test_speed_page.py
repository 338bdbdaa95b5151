"""The page of speed: figures of one run with what is asked of them, and how far ahead of other simulators it is."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from planner.evidence import fidelity, speed
from planner.web.figures.speedups import Ratios, speedup_figure
from planner.web.speed_rows import amount
from scripts.speed_snapshot import snapshot
from simulation import ENGINE_VERSION

FIGURES = [
    {"text": "shortest first", "value": 6e6, "unit": "events/s", "least": 5e6, "beside": 9e6},
    {"text": "a decision", "value": 1.5, "unit": "s", "most": 1.0, "beside": 30.0},
    {"text": "in words only"},
]
BENCH = {
    "datetime": "2026-11-29T20:52:03+00:00",
    "machine_info": {
        "node": "a-name-of-a-machine", "machine": "x86_64", "system": "Linux", "engine": ENGINE_VERSION,
        "python_implementation": "CPython", "python_version": "3.11.7", "cpu": {"brand_raw": "Some CPU", "count": 2},
    },
    "benchmarks": [{"fullname": "tests/bench/test_requests.py::test_x", "extra_info": {"figures": FIGURES}}],
}  # fmt: skip


@pytest.fixture
def kept(tmp_path, monkeypatch):
    path = tmp_path / "speed.json"
    monkeypatch.setattr(speed, "SNAPSHOT", path)
    path.write_text(json.dumps(snapshot(BENCH)))
    return path


def shown(client):
    answer = client.get(reverse("speed"))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_snapshot_names_the_kind_of_machine_and_not_the_machine(kept):
    assert "a-name-of-a-machine" not in kept.read_text()
    found = speed.speed()
    assert found.machine["processor"] == "Some CPU, 2 cores"
    assert (found.engine, found.made_on, found.stale) == (ENGINE_VERSION, "2026-11-29", False)
    assert found.groups[0].about == "The request kernel: batches over replicas."


def test_what_is_asked_is_met_or_not(kept):
    found = speed.speed()
    assert [m.met for m in found.measures] == [True, False, None]
    assert [m.as_fast for m in found.measures] == [pytest.approx(2 / 3), 20.0, None]
    assert found.met == (1, 2)


def test_the_page_shows_figure_asked_yardstick_and_ratio(signed_in, kept):
    page = shown(signed_in)
    assert "1 of 2 figures meet what is asked of them" in page
    for words in ("6.0 M events/s", "at least 5.0 M events/s", "9.0 M events/s", "0.67", "at most 1.00 s"):
        assert words in page
    assert page.count('<span class="state bad">no</span>') == 1


def test_another_engine_is_warned_of(signed_in, kept, monkeypatch):
    assert "is running here" not in shown(signed_in)
    monkeypatch.setattr(speed, "ENGINE_VERSION", "9.9.9")
    assert "is running here" in shown(signed_in)


def test_without_snapshots_the_page_says_how_to_make_them(signed_in, tmp_path, monkeypatch):
    for module in (speed, fidelity):
        monkeypatch.setattr(module, "SNAPSHOT", tmp_path / "none.json")
    page = shown(signed_in)
    assert "make bench" in page
    assert "data-figure" not in page


def test_the_kept_snapshot_is_shown_with_the_times_of_other_simulators(signed_in):
    page = shown(signed_in)
    assert 'data-figure="speedups"' in page
    assert all(group.about.replace("'", "&#x27;") in page for group in speed.speed().groups)


def test_each_peer_is_a_row_with_its_middle_case():
    figure = speedup_figure([Ratios("Gavel", (("a", 2.0), ("b", 30.0), ("c", 900.0))), Ratios("Muri", (("d", 50.0),))])
    assert [set(trace["y"]) for trace in figure.data] == [{"Gavel"}, {"Muri"}]
    assert [note["text"] for note in figure.layout["annotations"]] == ["30", "50"]
    assert figure.summary == "Gavel: 2.0 to 900, middle 30; Muri: 50 to 50, middle 50."


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [(5.2e6, "events/s", "5.2 M events/s"), (21_000, "decisions/s", "21 k decisions/s"), (0.0135, "s", "13.5 ms"),
     (1.98, "×", "1.98 ×"), (12, "requests/s", "12 requests/s")],
)  # fmt: skip
def test_amounts_are_written_in_the_unit_that_suits(value, unit, said):
    assert amount(value, unit) == said
