"""Tables as CSV: the numbers of the JSON and of the page, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from planner.catalog.models import Item
from planner.compare.board import board
from planner.studies.models import Run, Scenario
from tests.planner.web import material


def table(answer):
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.mark.parametrize("way", ["accept", "address"])
def test_a_list_is_a_table(api, study, way):
    asked = {"accept": "text/csv"} if way == "accept" else {}
    rows = table(api.get("runs/" if asked else "runs/?format=csv", **asked))
    assert len(rows) == 18
    assert {row["state"] for row in rows} == {"done"}
    assert rows[0]["result.sha256"]


def test_the_comparison_is_that_of_the_page(api, signed_in, workspace, study):
    ours = api.get(f"studies/{study.id}/board/", accept="text/csv").content.decode()
    page = signed_in.get(reverse("study-file", args=[workspace.slug, study.id, "comparison", "csv"])).content.decode(
        "utf-8-sig"
    )
    head, *rows = csv.reader(io.StringIO(ours))
    told = list(csv.reader(io.StringIO(page)))  # which tells beside each row what the study was made of
    assert [row[: len(head)] for row in told] == [head, *rows]


def test_numbers_keep_all_their_figures(api, study):
    known = {str(row.scenario_id): row.cells["wait_p95_s"] for row in board(study).rows}
    told = api.get(f"studies/{study.id}/board/?metrics=wait_p95_s").json()
    for row in told["rows"]:
        cell, ours = known[row["scenario_id"]], row["cells"]["wait_p95_s"]
        assert set(row["cells"]) == {"wait_p95_s"}
        assert (ours["value"], ours["low"], ours["high"]) == (cell.value, cell.low, cell.high)
        assert (ours["unit"], ours["origin"]) == ("s", "simulated")


def test_every_number_of_a_table_has_unit_and_origin(api, workspace, owner):
    parts = material.catalogue(workspace, owner)
    rows = table(api.get(f"clusters/{parts['cluster'].item_id}/pools/", accept="text/csv"))
    assert (rows[0]["nodes.value"], rows[0]["nodes.unit"], rows[0]["nodes.origin"]) == ("8.0", "nodes", "assumed")
    cost = api.get(f"prices/{parts['prices'].item_id}/cost/").json()
    assert cost["total"] == {
        "value": "116800.00", "unit": "USD", "origin": "assumed", "note": "",
        "source": "price x quantity of each pool, for 730 h",
    }  # fmt: skip


def test_unknown_is_empty_and_never_zero(api, study):
    run = Run.objects.filter(scenario__study=study).first()
    rows = {row["metric"]: row for row in table(api.get(f"runs/{run.id}/tables/metrics/", accept="text/csv"))}
    assert rows["carbon_kg"]["value"] == ""
    assert rows["carbon_kg"]["note"]
    assert rows["wait_p95_s"]["origin"] == "simulated"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-cmd", "@SUM(A1)", "\t=1", "\r=1"])
def test_cells_that_begin_like_formulas_are_text(api, study, text):
    Item.objects.update(name=text)
    Scenario.objects.filter(study=study).update(label=text)
    cells = [row["name"] for row in table(api.get("clusters/", accept="text/csv"))]
    cells += [row["scenario"] for row in table(api.get(f"studies/{study.id}/board/", accept="text/csv"))]
    assert {cell[0] for cell in cells} == {"'"}


def test_an_error_of_a_table_is_no_table(api):
    answer = api.get("runs/?state=asleep", accept="text/csv")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
