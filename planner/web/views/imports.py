"""Imports: drop a file, see what was understood, answer what is open, accept it. Rules are in the services."""

from __future__ import annotations

import csv
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, workspace_for
from planner.catalog import selectors
from planner.catalog.documents import DocumentError
from planner.catalog.models import Import, Kind
from planner.catalog.services_imports import (
    ImportClosed,
    import_accept,
    import_again,
    import_answer,
    import_create,
    import_discard,
    rejected_rows,
)
from planner.web.uploads import limited_upload
from planner.web.views.catalog import PAGES, seen_by
from simulation.formats.errors import FormatError
from simulation.formats.registry import FORMATS
from simulation.formats.tables import cell_text

LINES_SHOWN = 200
ANSWER = "answer:"
"""Prefix of the form fields that hold answers; what follows is the question's key."""
SAVED_AS = {
    Import.Of.JOBS: Kind.WORKLOAD,
    Import.Of.REQUESTS: Kind.WORKLOAD,
    Import.Of.NODES: Kind.CLUSTER,
    Import.Of.PRICES: Kind.PRICES,
    Import.Of.QUOTES: Kind.PRICES,
    Import.Of.CHARGES: Kind.PRICES,
    Import.Of.CARBON: Kind.PRICES,
    Import.Of.TRIALS: Kind.WORKLOAD,
    Import.Of.BENCHMARKS: None,
    Import.Of.SAMPLES: Kind.CLUSTER,
    Import.Of.DEVICES: Kind.CLUSTER,
}
REJECTED_HEAD = ("line", "column", "value", "expected", "reason", "row")


@login_required
@require_safe
def imports(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    lines = selectors.import_lines(here)[:LINES_SHOWN]
    return render(request, "imports/imports.html", {"imports": lines, **seen_by(request, here)})


@login_required
@limited_upload
@require_http_methods(["GET", "HEAD", "POST"])
def import_new(request: HttpRequest, workspace: str, *, too_large: bool) -> HttpResponse:
    """One form: a file, or text pasted in."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    if too_large:
        size = f"{settings.UPLOAD_LIMIT_BYTES / 1024**2:.0f} MB"
        problem = f"The file is larger than {size}. Nothing was kept. A file packed with gzip (.gz) may pass."
        return _new_page(request, here, {}, problem, status=413)
    if request.method != "POST":
        return _new_page(request, here, request.GET)
    upload, pasted = request.FILES.get("file"), request.POST.get("text", "")
    if upload is None and not pasted.strip():
        return _new_page(request, here, request.POST, "Choose a file, or paste some text.", status=400)
    try:
        importing = import_create(
            workspace=here,
            user=request.user,
            upload=upload or BytesIO(pasted.encode()),
            filename=upload.name if upload else "pasted text",
            kind=request.POST.get("kind") or None,
            format=request.POST.get("format") or None,
        )
    except FormatError as error:
        return _new_page(request, here, request.POST, f"Not imported, and nothing was kept. {error}.", status=400)
    return redirect("import", here.slug, importing.id)


def _new_page(request: HttpRequest, here: Workspace, given: Any, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "kinds": Import.Of.choices,
        "kind": given.get("kind", ""),
        "chosen_format": given.get("format", ""),
        "text": given.get("text", "") if problem else "",
        "formats": sorted(FORMATS.values(), key=lambda one: (one.kind, one.title)),
        "problem": problem,
        "limit": settings.UPLOAD_LIMIT_BYTES,
        **seen_by(request, here),
    }
    return render(request, "imports/import_new.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_(request: HttpRequest, workspace: str, importing: Any) -> HttpResponse:
    """The page of one import; POST answers questions, and accepts with the button `accept`."""
    posted = request.method == "POST"
    here = workspace_for(request.user, workspace, Act.EDIT if posted else Act.READ)
    found = selectors.import_for(request.user, here, importing, Act.EDIT if posted else Act.READ)
    if not posted:
        return _page(request, here, found)
    try:
        if "accept" in request.POST:
            return _accepted(request, here, found)
        slug = request.POST.get("format") or None
        found = import_answer(importing=found, user=request.user, answers=_answers(request), format=slug)
    except (FormatError, DocumentError, ImportClosed) as error:
        found = selectors.import_for(request.user, here, importing)
        status = 200 if request.htmx else 400  # htmx shows no fragment of a failed request
        return _page(request, here, found, problem=f"{error}", typed=_answers(request), status=status)
    return _page(request, here, found) if request.htmx else redirect("import", here.slug, found.id)


def _answers(request: HttpRequest) -> dict[str, str]:
    """Answers in the form; a choice that was left open is no answer."""
    posted = ((key, value.replace("\x00", "")) for key, value in request.POST.items())
    given = {key.removeprefix(ANSWER): value for key, value in posted if key.startswith(ANSWER)}
    open_ = set(request.POST.getlist("open"))
    return {key: value for key, value in given.items() if value or key not in open_}


def _accepted(request: HttpRequest, here: Workspace, importing: Import) -> HttpResponse:
    revision = import_accept(importing=importing, user=request.user, answers=_answers(request))
    name = f"revision {revision.number} of {revision.item.name}"
    if importing.added:
        messages.success(request, f"Imported as {name}.")
    else:
        messages.info(request, f"Nothing was added: the same content is there already, as {name}.")
    response = redirect(PAGES[Kind(revision.item.kind)], here.slug, revision.item_id)
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": response.url})
    return response


def _page(
    request: HttpRequest,
    here: Workspace,
    importing: Import,
    problem: str = "",
    typed: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    kind = SAVED_AS[Import.Of(importing.kind)]
    given = {**importing.answers, **(typed or {})}
    asked = [{**one, "value": given.get(one["key"], one["answer"])} for one in importing.preview.get("questions", [])]
    context = {
        "importing": importing,
        "said": importing.preview,
        "mapping": [one for one in asked if one["kind"] == "mapping"],
        "questions": [one for one in asked if one["kind"] != "mapping"],
        "typed": given,
        "targets": selectors.items(here, kind) if kind else [],
        "target_asked": any(one["key"] == "item" for one in asked),
        "kind_name": kind.label.lower() if kind else "",
        "page_url": PAGES[kind] if kind else "",
        "before": _before(importing),
        "problem": problem,
        **seen_by(request, here),
    }
    return render(request, "imports/import.html", context, status=status)


def _before(importing: Import) -> Import | None:
    """The last import of the same bytes that was accepted."""
    same = selectors.imports(importing.workspace).filter(sha256=importing.sha256, state=Import.State.ACCEPTED)
    return same.exclude(pk=importing.pk).filter(revision__isnull=False).first()


@login_required
@require_POST
def discard(request: HttpRequest, workspace: str, importing: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.import_for(request.user, here, importing, Act.EDIT)
    try:
        import_discard(importing=found, user=request.user)
    except ImportClosed as error:
        messages.error(request, str(error), extra_tags="fail")
    return redirect("import-new", here.slug)


@login_required
@require_POST
def again(request: HttpRequest, workspace: str, importing: Any) -> HttpResponse:
    """Open the file once more, in order to answer differently."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.import_for(request.user, here, importing, Act.EDIT)
    try:
        found = import_again(importing=found, user=request.user)
    except ImportClosed as error:
        messages.error(request, str(error), extra_tags="fail")
    return redirect("import", here.slug, found.id)


@login_required
@require_safe
def rejected(request: HttpRequest, workspace: str, importing: Any) -> HttpResponse:
    """Refused rows with their reasons as CSV; cells that a spreadsheet would run are made text."""
    here = workspace_for(request.user, workspace)
    found = selectors.import_for(request.user, here, importing)
    name = f"rejected-{found.sha256[:8]}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    response = HttpResponse(content_type="text/csv; charset=utf-8", headers=headers)
    writer = csv.writer(response)
    writer.writerow(REJECTED_HEAD)
    for one in rejected_rows(found, request.user):
        cells = (one.line, one.column, one.value, one.expected, one.reason, one.raw)
        writer.writerow([cell_text(cell) for cell in cells])
    return response
