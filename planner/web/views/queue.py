"""The queue: every run that waits or is under way, and those that ended lately."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, may, workspace_for
from planner.studies.counts import queue_counts
from planner.web.live import live
from planner.web.queue_rows import queue_page


@login_required
def queue(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    return render(request, "queue/queue.html", _context(request, here))


@login_required
def queue_progress(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    context = _context(request, here) | {"workspace": here, "counts": queue_counts(here)}
    return live(request, "queue/progress.html", context)


@login_required
def queue_count(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    return live(request, "shell/queue_count.html", {"workspace": here, "counts": queue_counts(here)})


def _context(request: HttpRequest, here: Workspace) -> dict[str, Any]:
    return {"page": queue_page(here, whole="all" in request.GET), "may_edit": may(request.user, here, Act.EDIT)}
