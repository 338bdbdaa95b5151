"""Tables, figures and reports as files. An address is that of a page with the name of the file behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from planner.accounts.selectors import workspace_for
from planner.catalog.models import Kind
from planner.compare.board import board
from planner.compare.fronts import front
from planner.studies import selectors
from planner.studies.documents import document_of
from planner.studies.models import Run, Study
from planner.studies.sharing import run_exported, study_exported
from planner.web import study_facts, study_view
from planner.web.exports import made_of
from planner.web.exports.catalog_tables import revision_table
from planner.web.exports.files import download, format_for, table_response
from planner.web.exports.library_tables import systems_table
from planner.web.exports.report import Report
from planner.web.exports.report_html import report_html
from planner.web.exports.report_pdf import SIZES, report_pdf
from planner.web.exports.run_records import RECORDS
from planner.web.exports.run_report import figures_of, run_report
from planner.web.exports.study_report import study_report
from planner.web.exports.study_tables import TABLES, study_table
from planner.web.exports.table import table_of
from planner.web.figures.figure import Figure
from planner.web.figures.front import front_figure
from planner.web.pictures.draw import drawing
from planner.web.pictures.png import png
from planner.web.pictures.svg import svg
from planner.web.views.catalog import opened
from simulation.provenance import Origin


@login_required
@require_safe
def study_file(request: HttpRequest, workspace: str, study: UUID, table: str, format: str) -> HttpResponse:
    found = _study(request, workspace, study)
    if table not in TABLES:
        raise Http404(f"A study has the tables {', '.join(TABLES)}")
    format_for(format)
    study_exported(study=found, user=request.user, what=f"{table}.{format}")
    return table_response(study_table(found, table, request.GET), format)


@login_required
@require_safe
def study_figure(request: HttpRequest, workspace: str, study: UUID, format: str) -> HttpResponse:
    """The front under the view of the address."""
    found = _study(request, workspace, study)
    table = board(found, baseline=request.GET.get("baseline"))
    view = study_view.read(request.GET, table)
    origins = {o for o in Origin if str(o) not in view.drop}
    caption = study_facts.caption(found, table)
    shown = front_figure(front(table, view.x, view.y, view.limits), hidden=view.hide, origins=origins, caption=caption)
    return _picture(shown, made_of.of_study(found, table.engine, view=view.query()), format, found.question)


@login_required
@require_safe
def study_report_file(request: HttpRequest, workspace: str, study: UUID, format: str) -> HttpResponse:
    found = _study(request, workspace, study)
    answer = _report(study_report(found, request.GET), format, request.GET.get("size", ""))
    study_exported(study=found, user=request.user, what=f"report.{format}")
    return answer


@login_required
@require_safe
def run_file(request: HttpRequest, workspace: str, run: UUID, table: str, format: str) -> HttpResponse:
    found = _run(request, workspace, run)
    if table not in RECORDS:
        raise Http404(f"A run has the tables {', '.join(RECORDS)}")
    format_for(format)
    title = f"{found.scenario.label}, seed {found.seed}"
    made = table_of(table, title, RECORDS[table](_document(found)), made_of.of_run(found))
    run_exported(run=found, user=request.user, what=f"{table}.{format}")
    return table_response(made, format)


@login_required
@require_safe
def run_figure(request: HttpRequest, workspace: str, run: UUID, figure: str, format: str) -> HttpResponse:
    """One of the figures of the page, under the name that its element has there."""
    found = _run(request, workspace, run)
    named = {one.plot_id: one for one in figures_of(found, _document(found))}
    if figure not in named:
        raise Http404(f"This run has the figures {', '.join(named)}")
    title = f"{found.scenario.label}, seed {found.seed}"
    return _picture(named[figure], made_of.of_run(found), format, title)


@login_required
@require_safe
def run_report_file(request: HttpRequest, workspace: str, run: UUID, format: str) -> HttpResponse:
    found = _run(request, workspace, run)
    answer = _report(run_report(found), format, request.GET.get("size", ""))
    run_exported(run=found, user=request.user, what=f"report.{format}")
    return answer


@login_required
@require_safe
def item_file(request: HttpRequest, workspace: str, item: UUID, kind: Kind, format: str) -> HttpResponse:
    """A revision of the catalogue: the newest, or `?rev=2`."""
    here = workspace_for(request.user, workspace)
    _, revision = opened(request, here, kind, item)
    return table_response(revision_table(revision), format)


@login_required
@require_safe
def systems_file(request: HttpRequest, workspace: str, format: str) -> HttpResponse:
    workspace_for(request.user, workspace)
    return table_response(systems_table(), format)


def _study(request: HttpRequest, workspace: str, id: UUID) -> Study:
    return selectors.study_for(request.user, workspace_for(request.user, workspace), id)


def _run(request: HttpRequest, workspace: str, id: UUID) -> Run:
    return selectors.run_for(request.user, workspace_for(request.user, workspace), id)


def _document(run: Run) -> dict[str, Any]:
    document = document_of(run)
    if document is None:
        raise Http404("This run has no result")
    return document


def _picture(figure: Figure, about: Mapping[str, str], format: str, of: str) -> HttpResponse:
    name = f"{of} {figure.name}"
    if format == "svg":
        return download(name, format, "image/svg+xml", svg(drawing(figure, about)).encode())
    if format == "png":
        return download(name, format, "image/png", png(drawing(figure, about)))
    raise Http404("A figure comes as svg or png")


def _report(report: Report, format: str, size: str) -> HttpResponse:
    """`size` is that of the paper of a PDF; an unknown one is A4."""
    name = f"{report.title} report"
    if format == "html":
        return download(name, format, "text/html; charset=utf-8", report_html(report).encode())
    if format == "pdf":
        return download(name, format, "application/pdf", report_pdf(report, size if size in SIZES else SIZES[0]))
    raise Http404("A report comes as html or pdf")
