"""An SLO set: limits on metrics, hard ones that decide feasibility and soft ones that are preferences."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from planner.accounts.selectors import workspace_for
from planner.catalog import selectors
from planner.catalog.models import Kind, Revision
from planner.catalog.services_entry import slos_enter
from planner.web.forms.rows import Rows
from planner.web.forms.slos import SloSetForm, limit_rows, limits_as_typed
from planner.web.views.catalog import opened, seen_by
from planner.web.views.entry import EntryPage
from simulation.metrics.definitions import METRICS


@login_required
@require_safe
def slo_set(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found, revision = opened(request, here, Kind.SLOS, item)
    context = {
        "item": found,
        "revision": revision,
        "limits": [(slo, METRICS.get(slo.metric)) for slo in selectors.slos_of(revision)],
        "revisions": selectors.revisions(found),
        **seen_by(request, here),
    }
    return render(request, "catalog/slo_set.html", context)


def _save(form: forms.Form, rows: Rows, **common: Any) -> Revision:
    return slos_enter(**common, slos=[row.slo() for row in rows.kept])


ENTRY = EntryPage(
    kind=Kind.SLOS,
    template="catalog/slo_set_form.html",
    page="slo-set",
    form=SloSetForm,
    rows=limit_rows,
    head_of=lambda revision: {},
    rows_of=limits_as_typed,
    save=_save,
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def slo_set_new(request: HttpRequest, workspace: str) -> HttpResponse:
    return ENTRY.show(request, workspace)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def slo_set_edit(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    return ENTRY.show(request, workspace, item)
