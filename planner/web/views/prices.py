"""A price sheet: its lines with their units, and what a chosen cluster costs a month under it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from planner.accounts.models import Workspace
from planner.accounts.selectors import workspace_for
from planner.catalog import consistency, selectors
from planner.catalog.costs import monthly
from planner.catalog.models import Kind, Revision
from planner.catalog.money import UNITS
from planner.catalog.services_entry import prices_enter
from planner.web.forms.prices import PriceSheetForm, line_rows, lines_as_typed, tariff_as_typed
from planner.web.forms.rows import Rows
from planner.web.views.catalog import opened, seen_by
from planner.web.views.entry import EntryPage
from simulation.provenance import weakest


@login_required
@require_safe
def price_sheet(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found, revision = opened(request, here, Kind.PRICES, item)
    prices = selectors.prices_of(revision)
    context = {
        "item": found,
        "revision": revision,
        "prices": prices,
        "lines": list(zip(prices.lines, _given(revision), strict=True)),
        "revisions": selectors.revisions(found),
        "importing": revision.imports.filter(added=True).defer("content").first(),
        **_cost(request, here, revision),
        **seen_by(request, here),
    }
    return render(request, "catalog/price_sheet.html", context)


def _given(revision: Revision) -> list[dict[str, Any]]:
    return [{**line, "unit_words": UNITS[line["unit"]]} for line in lines_as_typed(revision)]


def _cost(request: HttpRequest, workspace: Workspace, revision: Revision) -> dict[str, Any]:
    """Cost a month of the cluster asked for (`?cluster=id`), else of the first; nothing where there is none."""
    clusters = list(selectors.items(workspace, Kind.CLUSTER))
    asked = request.GET.get("cluster", "")
    chosen = next((one for one in clusters if str(one.pk) == asked), clusters[0] if clusters else None)
    if chosen is None:
        return {"clusters": clusters}
    newest = selectors.latest(chosen)
    cluster, prices = selectors.cluster_of(newest), selectors.prices_of(revision)
    return {
        "clusters": clusters,
        "chosen": chosen,
        "cluster_revision": newest,
        "cost": monthly(cluster, prices),
        "cost_origin": weakest([newest.document["origins"]["cluster"], revision.document["origins"]["prices"]]),
        "problems": [*consistency.of_prices(prices), *consistency.of_cost(cluster, prices)],
    }


def _save(form: forms.Form, rows: Rows, **common: Any) -> Revision:
    return prices_enter(**common, lines=[row.entry() for row in rows.kept], tariff=form.tariff())


ENTRY = EntryPage(
    kind=Kind.PRICES,
    template="catalog/price_sheet_form.html",
    page="price-sheet",
    form=PriceSheetForm,
    rows=line_rows,
    head_of=tariff_as_typed,
    rows_of=lines_as_typed,
    save=_save,
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def price_sheet_new(request: HttpRequest, workspace: str) -> HttpResponse:
    return ENTRY.show(request, workspace)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def price_sheet_edit(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    return ENTRY.show(request, workspace, item)
