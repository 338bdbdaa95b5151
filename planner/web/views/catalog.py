"""The four lists of the catalogue, and what can be done with any item: archive, restore, compare two revisions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, may, workspace_for, workspaces_of
from planner.catalog import selectors
from planner.catalog.documents import DocumentError
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.services import item_archive, item_rename, item_restore

LISTS = {
    Kind.CLUSTER: "clusters",
    Kind.PRICES: "prices",
    Kind.WORKLOAD: "workloads",
    Kind.SLOS: "slos",
}
"""Kind -> address of its list, which is also the name of its template."""
PAGES = {Kind.CLUSTER: "cluster", Kind.PRICES: "price-sheet", Kind.WORKLOAD: "workload", Kind.SLOS: "slo-set"}


@login_required
@require_safe
def listing(request: HttpRequest, workspace: str, kind: Kind) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = list(selectors.items(here, kind))
    context = {
        "items": found,
        "kind": kind,
        "archived": selectors.items(here, kind, archived=True),
        "with_jobs": [item for item in found if item.newest_summary.get("jobs")],
        "with_services": [item for item in found if item.newest_summary.get("services")],
        **seen_by(request, here),
    }
    return render(request, f"catalog/{LISTS[kind]}.html", context)


def seen_by(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    """What every page of the catalogue knows of its reader: the right to edit, and an example to look at."""
    example = workspaces_of(request.user).filter(is_example=True).exclude(pk=workspace.pk).first()
    return {"may_edit": may(request.user, workspace, Act.EDIT), "example": example}


def opened(request: HttpRequest, workspace: Workspace, kind: Kind, id: Any) -> tuple[Item, Revision]:
    """An item and the revision asked for (`?rev=2`), else its newest."""
    item = selectors.item_for(request.user, workspace, kind, id)
    asked = request.GET.get("rev", "")
    if asked.isascii() and asked.isdigit():
        return item, selectors.revision_numbered(item, int(asked[:10]))
    return item, selectors.latest(item)


@login_required
@require_safe
def changes(request: HttpRequest, workspace: str, kind: Kind, item: Any) -> HttpResponse:
    """What differs between two revisions, one row a field."""
    here = workspace_for(request.user, workspace)
    found = selectors.item_for(request.user, here, kind, item)
    try:
        older, newer = sorted(int(request.GET[key][:10]) for key in ("from", "to"))
    except (KeyError, ValueError):
        raise Http404("Which two revisions?") from None
    pair = [selectors.revision_numbered(found, number) for number in (older, newer)]
    context = {"item": found, "older": pair[0], "newer": pair[1], "rows": selectors.differences(*pair), **_ways(kind)}
    return render(request, "catalog/changes.html", context)


@login_required
@require_POST
def archive(request: HttpRequest, workspace: str, kind: Kind, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.item_for(request.user, here, kind, item, Act.EDIT)
    if request.POST.get("back"):
        item_restore(item=found, user=request.user)
        messages.success(request, f"{found.name} is back.")
    else:
        item_archive(item=found, user=request.user)
        messages.success(request, f"{found.name} is archived; what was computed from it stays.")
    return redirect(LISTS[kind], here.slug)


@login_required
@require_POST
def rename(request: HttpRequest, workspace: str, kind: Kind, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.item_for(request.user, here, kind, item, Act.EDIT)
    try:
        item_rename(item=found, user=request.user, name=request.POST.get("name", ""))
    except DocumentError as error:
        messages.error(request, f"Not renamed. {error}.", extra_tags="fail")
    return redirect(PAGES[kind], here.slug, found.pk)


def _ways(kind: Kind) -> dict[str, str]:
    return {"list_url": LISTS[kind], "page_url": PAGES[kind], "kind_name": f"{kind.label}s"}
