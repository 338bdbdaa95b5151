"""The queue: every run that waits or is under way, and those that ended lately."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from planner.accounts.selectors import workspace_for
from planner.studies.counts import queue_counts
from planner.web.live import live


@login_required
def queue(request: HttpRequest, workspace: str) -> HttpResponse:
    workspace_for(request.user, workspace)
    return render(request, "home/workspace.html")


@login_required
def queue_count(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    return live(request, "shell/queue_count.html", {"workspace": here, "counts": queue_counts(here)})
