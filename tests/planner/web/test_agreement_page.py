"""The page of agreement: every case, theirs and ours, by peer; what a row means; how old it is."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.urls import reverse

from planner.evidence import fidelity
from planner.web.figures.agreement import Pair, error_figure, identity_figure
from scripts.fidelity_snapshot import snapshot


def row(case, verdict="pass", **more):
    plain = {"quantity": "mean JCT", "theirs": 200.0, "ours": 202.0, "tolerance": 12.0, "unit": "s", "speedup": 40.0}
    found = plain | more
    error = None if found["ours"] is None else abs(found["ours"] - found["theirs"])
    return {"case": case, "verdict": verdict, "error": error} | found


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Makes the snapshot that the page reads."""
    path = tmp_path / "fidelity.json"
    monkeypatch.setattr(fidelity, "SNAPSHOT", path)

    def keep(*rows):
        path.write_text(snapshot(list(rows), "2026-11-29"))

    return keep


@pytest.fixture
def three(kept):
    kept(
        row("tiresias/a/fifo", ours=200.0),
        row("gavel/b/max_min", "fail", ours=260.0),
        row("sia/c/sia", "recorded", ours=None, tolerance=None, speedup=None),
    )


def shown(client, query=""):
    answer = client.get(reverse("fidelity") + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_snapshot_the_page_says_how_to_make_one(signed_in, kept):
    page = shown(signed_in)
    assert fidelity.MAKE in page
    assert signed_in.get(reverse("fidelity-table", args=["csv"])).status_code == 404


def test_a_row_has_theirs_ours_error_tolerance_verdict_and_times_faster(signed_in, three):
    line = shown(signed_in, "?peer=gavel").split("<code>b/max_min</code>")[1].split("</tbody>")[0]
    cells = [re.sub("<.*?>", "", cell) for cell in re.findall(r"<td.*?</td>", line)]
    assert cells == ["200", "260", "s", "60", "30 %", "12", "fail", "40"]


def test_peers_are_named_with_origin_and_counts(signed_in, three):
    page = shown(signed_in)
    assert page.count('<details class="mt6 peer"') == 3
    table = page.split('aria-labelledby="peers"')[1].split("</table>")[0]
    assert "github.com/stanford-futuredata/gavel" in page
    assert '?peer=gavel&amp;verdict=fail#cases"><b>1</b>' in table
    assert table.count("o-s") == 3


def test_the_filter_narrows_rows_figures_and_csv(signed_in, three):
    page = shown(signed_in, "?verdict=pass")
    assert "1 of 3 figures" in page
    assert "a/fifo" in page
    assert "b/max_min" not in page
    taken = signed_in.get(reverse("fidelity-table", args=["csv"]) + "?case=MAX").content.decode("utf-8-sig")
    (line,) = csv.DictReader(io.StringIO(taken))
    assert (line["case"], line["theirs"], line["ours"], line["error"]) == ("gavel/b/max_min", "200.0", "260.0", "60.0")
    assert line["about_command"] == "python -m simulation fidelity --json"
    assert signed_in.get(reverse("fidelity-table", args=["pdf"])).status_code == 404


def test_what_is_not_known_is_told_and_left_out(signed_in, three):
    page = shown(signed_in, "?peer=<b>&verdict=perhaps&case=nothing like that")
    assert "There is no peer “&lt;b&gt;”" in page
    assert "There is no verdict “perhaps”" in page
    assert "No case is like that" in page


def test_another_engine_is_warned_of(signed_in, three, monkeypatch):
    assert "is running here" not in shown(signed_in)
    monkeypatch.setattr(fidelity, "ENGINE_VERSION", "9.9.9")
    assert "is running here" in shown(signed_in)


def test_the_kept_snapshot_is_what_the_page_shows(signed_in):
    page = shown(signed_in)
    assert f"{len(fidelity.agreement().rows)} figures" in page
    figures = [json.loads(t) for t in re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)]
    assert len(figures) == 2


def test_the_line_of_no_difference_crosses_a_square():
    pairs = [Pair("p/a/x", 100.0, 100.0, False, 0.0), Pair("p/a/y", 5000.0, 5500.0, True, 0.06)]
    figure = identity_figure(pairs)
    x, y = figure.layout["xaxis"], figure.layout["yaxis"]
    assert (x["range"], x["type"]) == (y["range"], y["type"])
    assert [len(trace["x"]) for trace in figure.data] == [1, 1]
    assert figure.data[1]["marker"]["color"] == "@fail"
    assert "2 cases, 1 of them equal" in figure.summary


def test_errors_stand_with_their_tolerance_and_equal_cases_are_counted():
    pairs = [Pair("p/a/x", 100.0, 100.0, False, 0.0), Pair("p/a/y", 50.0, 51.0, False, 0.06)]
    figure = error_figure(pairs)
    assert figure.data[0]["x"] == [pytest.approx(2.0)]
    assert figure.layout["shapes"][0]["x0"] == pytest.approx(6.0)
    assert "1 further cases are equal" in figure.sources[0].text
    assert error_figure(pairs[:1]).empty
