"""A workload: its profile from the summary of the revision, and the joining of jobs with services."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from planner.accounts.selectors import Act, workspace_for
from planner.catalog import selectors
from planner.catalog.documents import DocumentError
from planner.catalog.models import Kind
from planner.catalog.services import workload_combine
from planner.web.figures.arrivals import arrivals_figure
from planner.web.views.catalog import opened, seen_by

SPREADS = (("Run time", "duration"), ("Measured wait", "waits"), ("Measured JCT", "completions"))
METER_PX = 96


@login_required
@require_safe
def workload(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found, revision = opened(request, here, Kind.WORKLOAD, item)
    said = revision.summary
    context = {
        "item": found,
        "revision": revision,
        "said": said,
        "figure": arrivals_figure(said, revision) if said.get("jobs") else None,
        "spreads": [(title, said[key]) for title, key in SPREADS if said.get(key)],
        "gangs": _with_shares(said.get("gangs", []), said.get("gpu_h", 0.0)),
        "tenants": _with_shares(said.get("tenants", []), said.get("gpu_h", 0.0)),
        "revisions": selectors.revisions(found),
        "importing": revision.imports.filter(added=True).defer("content").first(),
        **seen_by(request, here),
    }
    return render(request, "catalog/workload.html", context)


def _with_shares(rows: list[dict[str, Any]], total: float) -> list[dict[str, Any]]:
    """Rows with their share of all GPU-hours, and the width of a bar that shows it."""
    shares = [row["gpu_h"] / total if total else 0.0 for row in rows]
    top = max(shares, default=0.0) or 1.0
    return [
        {**row, "share": share, "width": max(1, round(METER_PX * share / top))}
        for row, share in zip(rows, shares, strict=True)
    ]


@login_required
@require_POST
def combine(request: HttpRequest, workspace: str) -> HttpResponse:
    """Jobs of one workload with the services of another, under a new name."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    parts = {
        part: selectors.latest(
            selectors.item_for(request.user, here, Kind.WORKLOAD, request.POST.get(part, ""), Act.EDIT)
        )
        for part in ("jobs", "services")
    }
    try:
        revision = workload_combine(workspace=here, user=request.user, name=request.POST.get("name", ""), **parts)
    except DocumentError as error:
        messages.error(request, f"Not joined. {error}.", extra_tags="fail")
        return redirect("workloads", here.slug)
    messages.success(request, f"Saved as revision {revision.number} of {revision.item.name}.")
    return redirect("workload", here.slug, revision.item_id)
