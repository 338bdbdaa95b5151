"""Bundles: take a study or a run away, bring a bundle in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, workspace_for
from planner.compare.board import board
from planner.evidence.bundles.bringing_in import bundle_import
from planner.evidence.bundles.export import run_bundle, study_bundle
from planner.studies import selectors
from planner.studies.models import Run, Study
from planner.web.study_view import telling_axes
from planner.web.uploads import limited_upload
from planner.web.views.catalog import seen_by
from simulation.bundles.errors import BundleError
from simulation.bundles.licences import LICENCES


@login_required
@require_safe
def study_take(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    """What a bundle of this study would hold, and under which terms."""
    here = workspace_for(request.user, workspace)
    return _form(request, {"study": selectors.study_for(request.user, here, study)})


@login_required
@require_safe
def run_take(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    return _form(request, {"run": found, "study": found.scenario.study})


@login_required
@require_safe
def study_zip(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    """The bundle itself; `?licence=` is one of the list, `?anonymised=1` replaces names by numbers."""
    here = workspace_for(request.user, workspace)
    found: Study = selectors.study_for(request.user, here, study)
    axes = telling_axes(board(found))
    return _packed(request, {"study": found}, lambda **terms: study_bundle(study=found, axes=axes, **terms))


@login_required
@require_safe
def run_zip(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found: Run = selectors.run_for(request.user, here, run)
    study = found.scenario.study
    axes = telling_axes(board(study))
    context = {"run": found, "study": study}
    return _packed(request, context, lambda **terms: run_bundle(run=found, axes=axes, **terms))


def _form(request: HttpRequest, context: dict[str, Any], problem: str = "", status: int = 200) -> HttpResponse:
    terms = {"licences": LICENCES, "licence": request.GET.get("licence", "InC"), "problem": problem}
    return render(request, "evidence/take.html", {**context, **terms}, status=status)


def _packed(request: HttpRequest, context: dict[str, Any], pack: Callable[..., bytes]) -> HttpResponse:
    licence = request.GET.get("licence", "InC")
    if licence not in LICENCES:
        return _form(request, context, f"There is no licence {licence[:40]!r} in the list.", status=400)
    try:
        content = pack(user=request.user, licence=licence, anonymised=bool(request.GET.get("anonymised")))
    except BundleError as error:
        return _form(request, context, f"{error}.", status=409)
    kind, id = ("run", context["run"].id) if "run" in context else ("study", context["study"].id)
    headers = {"Content-Disposition": f'attachment; filename="{kind}-{str(id)[:8]}.zip"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)


@login_required
@limited_upload
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest, workspace: str, *, too_large: bool) -> HttpResponse:
    """A form for one file; the study of the bundle opens, its runs queued."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    if too_large:
        size = f"{settings.UPLOAD_LIMIT_BYTES / 1024**2:.0f} MB"
        return _bring_form(request, here, f"The file is larger than {size}. Nothing was kept.", status=413)
    if request.method != "POST":
        return _bring_form(request, here)
    upload = request.FILES.get("file")
    if upload is None:
        return _bring_form(request, here, "Choose a bundle.", status=400)
    try:
        study, new = bundle_import(
            workspace=here, user=request.user, content=upload.read(), file_name=upload.name or "bundle.zip"
        )
    except BundleError as error:
        return _bring_form(request, here, f"Not brought in, and nothing was kept: {error}.", status=400)
    said = "Its runs are computed here and held against the bundle." if new else "This bundle was here already."
    messages.info(request, said)
    return redirect("study-evidence", here.slug, study.id)


def _bring_form(request: HttpRequest, here: Workspace, problem: str = "", status: int = 200) -> HttpResponse:
    context = {"problem": problem, "limit": settings.UPLOAD_LIMIT_BYTES, **seen_by(request, here)}
    return render(request, "evidence/bring.html", context, status=status)
