"""Reports: one HTML file that loads nothing, and a PDF; both say the numbers, their origins and their sources."""

from __future__ import annotations

import base64
import re
import zlib

import pytest
from django.http import QueryDict
from django.urls import reverse

from planner.accounts.models import AuditEntry
from planner.evidence.point_facts import facts_of_study
from planner.evidence.points import points
from planner.studies.models import Run, Scenario, Study
from planner.web.exports.report_html import report_html
from planner.web.exports.report_pdf import report_pdf
from planner.web.exports.run_report import run_report
from planner.web.exports.study_report import study_report
from tests.planner.web import material

HOSTILE = "<script>alert(1)</script> <b>&amp; ü☃ </para>"


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=5, seeds=3)


@pytest.fixture
def run(study):
    return Run.objects.filter(scenario__study=study, scenario__position=1).first()


def pages(content: bytes) -> list[bytes]:
    """The drawing commands of each stream of a PDF that was packed as reportlab packs them."""
    streams = re.findall(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)endstream", content, re.DOTALL)
    return [zlib.decompress(base64.a85decode(b"<~" + one.strip(), adobe=True)) for one in streams]


@pytest.mark.parametrize("of", ["study", "run"])
def test_a_report_is_one_file_that_loads_nothing(study, run, of):
    shown = report_html(study_report(study, QueryDict()) if of == "study" else run_report(run))
    assert re.findall(r"\b(?:href|src|srcset|action|poster)\s*=", shown) == []
    assert not re.search(r"<script|<link|@import|url\(", shown)
    assert re.findall(r"https?://[^\s\"'<]+", shown.replace("http://www.w3.org/2000/svg", "")) == []


def test_the_report_of_a_study_says_answer_numbers_sources_and_points(study):
    shown = report_html(study_report(study, QueryDict()))
    for scenario in study.scenarios.all():
        assert scenario.label in shown
        assert scenario.digest[:12] in shown
    for point in points(facts_of_study(study)):
        assert point.title in shown
    for item in study.workspace.items.all():
        assert item.revisions.get().digest in shown
    for word in ("<svg", "S simulated", "A assumed", "None survives", "keep every hard limit"):
        assert word in shown
    assert "S 151.6 ±" in shown


def test_the_report_of_a_run_says_what_it_gave(run):
    shown = report_html(run_report(run))
    assert shown.count("<svg") >= 4
    assert run.result.sha256 in shown
    assert "120 jobs submitted" in shown
    assert "3,250.00" in shown  # the sum of the cost lines


def test_the_report_shows_the_view_of_the_address(study):
    other = Scenario.objects.get(study=study, position=3)
    view = QueryDict(f"baseline={other.id}&x=energy_kwh&y=jct_mean_s")
    shown = report_html(study_report(study, view))
    assert f"{other.label} (baseline)" in shown
    assert "JCT, mean against Energy" in shown


def test_an_unfinished_study_says_so(workspace, owner):
    waiting = material.study(workspace, owner, scenarios=2, seeds=2, done=False)
    shown = report_html(study_report(waiting, QueryDict()))
    assert "0 of 4 runs done: numbers will move" in shown
    assert "No figure: No run has finished yet." in shown
    assert report_pdf(study_report(waiting, QueryDict())).startswith(b"%PDF-")
    run = Run.objects.filter(scenario__study=waiting).first()
    assert "No result" in report_html(run_report(run))


def test_an_example_is_called_one(study):
    assert "Illustrative" not in report_html(study_report(study, QueryDict()))
    study.is_example = True
    assert "Illustrative: this belongs to the example" in report_html(study_report(study, QueryDict()))


def test_words_of_people_stay_words(study):
    Study.objects.update(question=HOSTILE)
    Scenario.objects.filter(position=1).update(label=HOSTILE)
    report = study_report(Study.objects.select_related("workspace", "created_by").get(), QueryDict())
    shown = report_html(report)
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert report_pdf(report).startswith(b"%PDF-")


@pytest.mark.parametrize(("size", "box"), [("a4", b"595.2"), ("letter", b"612")])
def test_a_pdf_has_numbered_pages_of_the_paper_asked_for(study, size, box):
    content = report_pdf(study_report(study, QueryDict()), size)
    assert content.startswith(b"%PDF-")
    assert re.search(rb"/MediaBox \[ 0 0 " + box, content)
    count = int(re.search(rb"/Count (\d+)", content).group(1))
    assert count >= 2
    assert study.question[:20].encode("utf-16-be") in content or study.question[:20].encode() in content


def test_a_pdf_draws_its_figures_as_vectors_and_embeds_its_font(study):
    content = report_pdf(study_report(study, QueryDict()))
    assert b"/FontFile2" in content
    assert b"/Subtype /Image" not in content
    drawn = b"\n".join(pages(content))
    assert drawn.count(b" l ") + drawn.count(b" l\n") > 50


def test_equal_reports_give_equal_bytes(study):
    report = study_report(study, QueryDict())
    assert report_pdf(report) == report_pdf(study_report(study, QueryDict()))
    assert report_html(report) == report_html(study_report(study, QueryDict()))


@pytest.mark.parametrize(("format", "kind"), [("html", "text/html; charset=utf-8"), ("pdf", "application/pdf")])
def test_reports_are_downloads_and_the_log_tells_of_them(signed_in, workspace, study, run, format, kind):
    for name, of in (("study", study), ("run", run)):
        answer = signed_in.get(reverse(f"{name}-report", args=[workspace.slug, of.id, format]) + "?size=letter")
        assert answer.status_code == 200
        assert answer["Content-Type"] == kind
        assert answer["Content-Disposition"].endswith(f'.{format}"')
        assert AuditEntry.objects.get(action=f"{name}.export").detail["what"] == f"report.{format}"
    assert signed_in.get(reverse("study-report", args=[workspace.slug, study.id, "docx"])).status_code == 404
