"""One run: what its scenario gave, how it is spread, who waited, what it cost, and whether it adds up."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from planner.accounts.selectors import Act, may, workspace_for
from planner.compare.board import Board, Row, board
from planner.studies import runs, selectors
from planner.studies.counts import queue_counts
from planner.studies.documents import document_of
from planner.studies.models import Run
from planner.web import run_figures, run_tables, study_view
from planner.web.live import live
from planner.web.measured_rows import against_measured
from planner.web.numbers import scale_for
from planner.web.study_facts import parts
from planner.web.study_table import headings, interval, lines
from simulation.metrics.definitions import METRICS

_EXTRA = ("jobs_unfinished", "utilisation_busy")
_SHOWN = 7


@login_required
def run(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    study = found.scenario.study
    table = board(study)
    row = table.row(found.scenario_id)
    document = document_of(found)
    context: dict[str, Any] = {
        "run": found,
        "study": study,
        "row": row,
        "parts": parts(here, found.scenario.spec),
        "may_edit": may(request.user, here, Act.EDIT),
        "ended": found.state in Run.FINAL,
        "siblings": list(enumerate(row.run_ids)) if row else [],
        "board": table,
    }
    if row is not None and row.cells:
        context |= {"title": _title(row), "strip": _strip(table, row)}
    if document is not None:
        context |= _filled(found, document, row)
    return render(request, "runs/run.html", context)


def _filled(found: Run, document: dict[str, Any], row: Row | None) -> dict[str, Any]:
    color = row.color if row and row.color is not None else 1
    return {
        "document": document,
        "against": against_measured(found, document),
        "figures": run_figures.figures(found, document, color),
        "tenants": run_tables.tenants(document),
        "costs": run_tables.costs(document),
        "cost_metric": document["metrics"]["cost_usd"],
        "endings": run_tables.endings(document),
        "decisions": run_tables.decisions(document),
        "wait_origin": document["metrics"]["wait_mean_s"]["origin"],
    }


def _title(row: Row) -> str:
    """The scenario, its first limit's value, and how it stands: "Gavel, +12 H100: Wait, P95 0.86 h, all limits met"."""
    first = next((v for v in row.verdicts if v.value is not None), None)
    metric = METRICS[first.metric if first else "jct_mean_s"]
    cell = row.cells.get(metric.name)
    if cell is None or cell.value is None:
        return row.label
    value = f"{row.label}: {metric.title} {scale_for(metric.unit, [cell.value]).with_unit(cell.value)}"
    missed = [METRICS[v.metric].title for v in row.failed]
    if missed:
        return f"{value}, misses {' and '.join(missed)}"
    return f"{value}, all limits met" if row.feasible and row.verdicts else value


def _strip(table: Board, row: Row) -> list[Any]:
    """Headline numbers: the columns of the study's table and a few more that are known."""
    view = study_view.StudyView(*study_view.telling_axes(table))
    names = [c.name for c in study_view.shown_columns(view, table)] + list(_EXTRA)
    known = {name for name, cell in row.cells.items() if cell.value is not None}
    wanted = sorted((c for c in table.metrics if c.name in known & {*names}), key=lambda c: names.index(c.name))
    heads = headings(table, wanted[:_SHOWN], "")
    mine = next(line for line in lines(table, heads, "") if line.row.scenario_id == row.scenario_id)
    own = [scale_for(cell.unit, [cell.value]) for shown in mine.cells if (cell := shown.cell)]
    spread = [interval(cell, scale) for scale, shown in zip(own, mine.cells, strict=True) if (cell := shown.cell)]
    return list(zip(heads, mine.cells, own, spread, strict=True))


@login_required
def run_progress(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    return live(request, "runs/progress.html", {"run": found, "workspace": here, "counts": queue_counts(here)})


@login_required
def run_json(request: HttpRequest, workspace: str, run: UUID) -> JsonResponse:
    """The result document as the engine wrote it."""
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    document = document_of(found)
    if document is None:
        return JsonResponse({"error": "This run has no result."}, status=404)
    name = f"run-{str(found.id)[:8]}.json"
    return JsonResponse(document, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@login_required
@require_POST
def run_cancel(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.run_for(request.user, here, run, Act.EDIT)
    stopped = runs.run_cancel(run=found, user=request.user)
    messages.info(request, "Cancelled." if stopped else "This run had ended already; nothing was cancelled.")
    return _back(request, here.slug)


@login_required
@require_POST
def run_retry(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.run_for(request.user, here, run, Act.EDIT)
    again = runs.run_retry(run=found, user=request.user)
    messages.info(request, "Queued once more." if again else "Only failed and cancelled runs can be retried.")
    return _back(request, here.slug)


def _back(request: HttpRequest, workspace: str) -> HttpResponse:
    """To where the button was pressed, if that is one of our pages."""
    target = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return redirect(target)
    return redirect("queue", workspace=workspace)
