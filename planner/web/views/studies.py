"""Studies: the list, and the page of one with its front, limits and comparison."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from planner.accounts.selectors import Act, may, workspace_for
from planner.compare.board import Board, board
from planner.compare.fronts import front, with_shares
from planner.evidence.cited import Beside, beside
from planner.studies import runs, selectors
from planner.studies.counts import queue_counts
from planner.studies.documents import base_run, document_of, tenants_of
from planner.studies.models import Study
from planner.studies.progress import Progress, progress_of
from planner.studies.runs.presence import workforce
from planner.web import study_facts, study_view, study_words
from planner.web.figures.figure import Figure
from planner.web.figures.front import front_figure, spots
from planner.web.figures.jobs import jct_figure
from planner.web.live import live
from planner.web.measured_rows import Table, against_measured
from planner.web.sliders import controls
from planner.web.study_happenings import happenings
from planner.web.study_table import headings, lines
from planner.web.system_rows import claims_shown
from planner.web.ties import ties
from simulation.library.published import Published
from simulation.metrics.definitions import OBJECTIVES
from simulation.provenance import Origin, weakest


@login_required
def studies(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    return render(
        request,
        "studies/list.html",
        {"studies": selectors.studies(here), "may_edit": may(request.user, here, Act.EDIT)},
    )


@login_required
def study(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    """The whole page; a change of the view fetches it again and takes the parts that changed."""
    here = workspace_for(request.user, workspace)
    found = selectors.study_for(request.user, here, study)
    context = _page(request, found) | {"may_edit": may(request.user, here, Act.EDIT)}
    response = render(request, "studies/study.html", context)
    if request.htmx:
        response["HX-Replace-Url"] = request.path + context["view"].query()
    return response


def _page(request: HttpRequest, found: Study) -> dict[str, Any]:
    table = board(found, baseline=request.GET.get("baseline"))
    view = study_view.read(request.GET, table)
    shown = front(table, view.x, view.y, view.limits)
    table = with_shares(table, shown)
    heads = headings(table, study_view.shown_columns(view, table), view.sort)
    shown_origins = {o for o in Origin if str(o) not in view.drop}
    caption = study_facts.caption(found, table)
    return {
        "study": found,
        "board": table,
        "view": view,
        "front": shown,
        "figure": front_figure(shown, hidden=view.hide, origins=shown_origins, caption=caption),
        "axes": [c for c in table.metrics if c.name in OBJECTIVES],
        "controls": controls(shown),
        "classes": _classes(shown.counts),
        "origins": _origins(shown),
        "headings": [(head, view.query(sort=head.sort)) for head in heads],
        "lines": lines(table, heads, view.sort),
        "metrics": [c for c in table.metrics if c.known],
        "shown_names": (names := {head.column.name for head in heads}),
        "same": study_words.equal_in_all(table, names),
        "binding": study_words.binding(shown),
        "volume": study_words.volume(shown),
        "points": _points(table),
        "facts": study_facts.facts(found),
        "against": _against(found),
        "published": _published(found, view.x, view.y),
        "ties": (tied := ties(table)),
        "happenings": happenings(table),
        "jobs_figure": _jobs_figure(table) if tied else None,
        "notes": view.notes,
        "progress": table.progress,
        "missing": _missing(table.progress),
        "query": view.query(),
    }


def _jobs_figure(table: Board) -> Figure:
    """Who gains and who pays, out of the first seed of each scenario."""
    first = {row.run_ids[0]: row for row in table.rows if row.run_ids}
    found = tenants_of(first)
    cells = [cell for row in table.rows if (cell := row.cells.get("jct_mean_s"))]
    return jct_figure(
        {row.label: found[id] for id, row in first.items() if id in found},
        {row.label: row.color or 0 for row in table.rows},
        weakest(cell.origin for cell in cells),
    )


def _against(found: Study) -> Table | None:
    """The first seed of the base, held against the log that it replays."""
    base = base_run(found, seed=0)
    document = document_of(base) if base else None
    return against_measured(base, document) if base and document else None


def _published(found: Study, *metrics: str) -> list[tuple[Beside, list[tuple[Published, str]]]]:
    """Claims about the metrics of both axes, those of the study's own systems in full."""
    return [(one, claims_shown(one.own)) for one in beside(metrics, selectors.systems_of(found))]


def _classes(counts: Any) -> list[tuple[str, str, int]]:
    return [
        ("front", "on the front", counts["front"]),
        ("dominated", "dominated (grey)", counts["dominated"]),
        ("infeasible", "infeasible (crossed, small)", counts["infeasible"]),
    ]


def _origins(shown: Any) -> list[tuple[Origin, int]]:
    kinds = [spot.origin for spot in spots(shown)]
    return [(origin, kinds.count(origin)) for origin in Origin if origin in kinds]


def _points(table: Board) -> list[dict[str, float]]:
    """What the page needs in order to count survivors while a slider is dragged."""
    return [
        {name: cell.value for name, cell in row.cells.items() if cell.value is not None and name in OBJECTIVES}
        for row in table.rows
    ]


@login_required
def study_progress(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    """The one light address that a study's page asks again and again."""
    here = workspace_for(request.user, workspace)
    found = selectors.study_for(request.user, here, study)
    progress = progress_of(found)
    context = {"study": found, "workspace": here, "progress": progress, "missing": _missing(progress)}
    return live(request, "studies/progress.html", context | {"counts": queue_counts(here)})


def _missing(progress: Progress) -> str:
    """Why nothing moves, in a sentence, where something should."""
    return "" if progress.finished else workforce().missing


@login_required
@require_POST
def study_cancel(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.study_for(request.user, here, study, Act.EDIT)
    stopped = runs.study_cancel(study=found, user=request.user)
    said = f"{stopped} runs cancelled; finished runs are kept." if stopped else "Nothing was left to cancel."
    messages.info(request, said)
    return redirect("study", workspace=here.slug, study=found.id)
