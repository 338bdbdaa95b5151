"""Tables to take along: the same numbers in every format, their origins and digests beside them, no formulas."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile

import openpyxl
import pytest
from django.urls import reverse

from planner.accounts.models import AuditEntry
from planner.catalog.models import Item, Revision
from planner.compare.board import board
from planner.studies.models import Run, Scenario
from planner.web.exports.files import FORMATS
from planner.web.exports.run_records import RECORDS
from planner.web.exports.study_tables import TABLES
from planner.web.exports.table import Table
from tests.planner.web import material

FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "'=1", "=cmd|' /C calc'!A0"]
WORDS = [*FORMULAS, "a,b", 'a"b', "a\nb", "ünï ☃", "\x00\x01", "", " "]


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=5, seeds=2)


@pytest.fixture
def run(study):
    return Run.objects.filter(scenario__study=study, scenario__position=1).first()


def taken(client, name, *rest, query=""):
    workspace = Item.objects.first().workspace
    answer = client.get(reverse(name, args=[workspace.slug, *rest]) + query)
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    return answer.content


def of_csv(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def of_xlsx(content):
    book = openpyxl.load_workbook(io.BytesIO(content))
    head, *rows = book["table"].iter_rows(values_only=True)
    about = dict(book["about"].iter_rows(values_only=True))
    return [dict(zip(head, row, strict=True)) for row in rows], about


def files():
    yield from (("study-file", table) for table in TABLES)
    yield from (("run-file", table) for table in RECORDS)
    yield from ((f"{one}-file", None) for one in ("cluster", "price-sheet", "workload", "slo-set"))
    yield ("systems-file", None)


@pytest.mark.parametrize(("name", "table"), list(files()), ids=str)
def test_all_formats_hold_the_same_rows_and_equal_content_gives_equal_bytes(signed_in, study, run, name, table):
    own = {"study": [study.id], "run": [run.id], "systems": []}.get(name.split("-")[0])
    if own is None:
        kind = {"cluster": "cluster", "price": "prices", "workload": "workload", "slo": "slos"}[name.split("-")[0]]
        own = [Item.objects.get(kind=kind).id]
    rest = [*own, *([table] if table else [])]
    first = {format: taken(signed_in, name, *rest, format) for format in FORMATS}
    again = {format: taken(signed_in, name, *rest, format) for format in FORMATS}
    assert first == again
    told = json.loads(first["json"])
    rows, about = of_xlsx(first["xlsx"])
    lines = of_csv(first["csv"])
    assert len(told["rows"]) == len(rows) == len(lines) > 0
    assert list(told["columns"]) == list(rows[0])
    assert about["title"] == told["title"]
    for record, row, line in zip(told["rows"], rows, lines, strict=True):
        for column in told["columns"]:
            value = record[column]
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            assert value == float(line[column]), column
            assert value == pytest.approx(row[column], rel=1e-15)  # a workbook is written with 16 digits


def test_the_comparison_has_the_numbers_of_the_board(signed_in, study):
    known = board(study)
    rows = json.loads(taken(signed_in, "study-file", study.id, "comparison", "json"))["rows"]
    for row in rows:
        cell = next(r for r in known.rows if r.label == row["scenario"]).cells[row["metric"]]
        assert (row["value"], row["unit"], row["origin"]) == (cell.value, cell.unit, str(cell.origin))
    assert len(rows) == sum(len(r.cells) for r in known.rows)


def test_the_view_of_the_address_is_that_of_the_table(signed_in, study):
    other = Scenario.objects.get(study=study, position=2)
    query = f"?baseline={other.id}&limit.cost_usd=1"
    told = json.loads(taken(signed_in, "study-file", study.id, "comparison", "json", query=query))
    assert {row["baseline"] for row in told["rows"]} == {other.label}
    assert {row["feasible"] for row in told["rows"]} <= {"yes", "no"}
    assert str(other.id) in told["about"]["view"]
    classes = json.loads(taken(signed_in, "study-file", study.id, "front", "json", query="?limit.cost_usd=1"))["rows"]
    assert {row["class"] for row in classes} == {"infeasible"}


def test_engine_and_digests_stand_beside_the_numbers(signed_in, study, run):
    engine = run.result.engine_version
    digests = set(Revision.objects.values_list("digest", flat=True))
    for name, rest in (("study-file", [study.id, "front"]), ("run-file", [run.id, "tenants"])):
        lines = of_csv(taken(signed_in, name, *rest, "csv"))
        _, about = of_xlsx(taken(signed_in, name, *rest, "xlsx"))
        assert {line["about_engine"] for line in lines} == {engine} == {about["engine"]}
        assert all(any(digest in str(value) for value in about.values()) for digest in digests)
    assert of_csv(taken(signed_in, "run-file", run.id, "costs", "csv"))[0]["about_result_sha256"] == run.result.sha256


def test_unknown_stays_unknown(signed_in, run):
    of = ("run-file", run.id, "metrics")
    unknown = [row for row in json.loads(taken(signed_in, *of, "json"))["rows"] if row["value"] is None]
    assert unknown
    assert all(row["note"] for row in unknown)
    names = {row["metric"] for row in unknown}
    assert {row["metric"] for row in of_csv(taken(signed_in, *of, "csv")) if row["value"] == ""} == names


def table_of_words():
    rows = tuple((word, -1.5, 7, None, True) for word in WORDS)
    return Table("words", "=title", ("=word", "number", "count", "unknown", "yes"), rows, {"=about": "=x"})


def test_no_cell_of_a_csv_is_a_formula_and_the_text_comes_back():
    head, *rows = csv.reader(io.StringIO(FORMATS["csv"].written(table_of_words()).decode("utf-8-sig"), newline=""))
    assert not [c for c in head for start in "=+@" if c.startswith(start)]
    for word, row in zip(WORDS, rows, strict=True):
        assert row[0] == (f"'{word}" if word in FORMULAS else word)
        assert row[1:5] == ["-1.5", "7", "", "yes"]


def test_no_cell_of_a_workbook_is_a_formula():
    content = FORMATS["xlsx"].written(table_of_words())
    for sheet in openpyxl.load_workbook(io.BytesIO(content)).worksheets:
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            assert cell.data_type != "f"
            assert not str(cell.value or "").startswith(("=", "+", "@"))
    rows, _ = of_xlsx(content)
    assert [row["number"] for row in rows] == [-1.5] * len(WORDS)
    assert [row["count"] for row in rows] == [7] * len(WORDS)
    assert rows[WORDS.index("\x00\x01")]["'=word"] == "��"


def test_a_workbook_tells_no_time():
    """Neither its zip nor its properties, though the library writes the time of the clock into both."""
    with zipfile.ZipFile(io.BytesIO(FORMATS["xlsx"].written(table_of_words()))) as book:
        assert {info.date_time for info in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        told = re.findall(r"\d{4}-\d\d-\d\dT[\d:]+", book.read("docProps/core.xml").decode())
    assert set(told) == {"1980-01-01T00:00:00"}


@pytest.mark.parametrize(
    "rest", [("study-file", "study", "nothing", "csv"), ("study-file", "study", "front", "exe"),
             ("run-file", "run", "nothing", "csv"), ("run-file", "run", "costs", "html")],
)  # fmt: skip
def test_what_there_is_not_is_not_found_and_not_told_as_exported(signed_in, workspace, study, run, rest):
    name, of, table, format = rest
    given = {"study": study.id, "run": run.id}[of]
    assert signed_in.get(reverse(name, args=[workspace.slug, given, table, format])).status_code == 404
    assert not AuditEntry.objects.filter(action__endswith=".export").exists()


def test_the_log_tells_who_took_a_study_along(signed_in, study, owner):
    taken(signed_in, "study-file", study.id, "front", "xlsx")
    entry = AuditEntry.objects.get(action="study.export")
    assert (entry.user, entry.target, entry.detail) == (owner, study.question, {"what": "front.xlsx"})


def test_a_run_without_a_result_has_no_tables(signed_in, workspace, owner):
    waiting = material.study(workspace, owner, scenarios=1, seeds=1, done=False)
    run = Run.objects.get(scenario__study=waiting)
    assert signed_in.get(reverse("run-file", args=[workspace.slug, run.id, "metrics", "csv"])).status_code == 404
    assert of_csv(taken(signed_in, "study-file", waiting.id, "scenarios", "csv"))[0]["runs_done"] == "0"
