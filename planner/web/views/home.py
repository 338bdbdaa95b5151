"""The first page: where to begin, what is under way, whether everything answers."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from planner.accounts.selectors import workspace_for, workspaces_of


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Send people to the workspace they asked for, or were in last, or belong to first."""
    mine = {w.slug: w for w in workspaces_of(request.user)}
    asked = request.GET.get("workspace") or request.session.get("workspace", "")
    target = mine.get(asked) or next(iter(mine.values()), None)
    if target is None:
        return render(request, "home/no_workspace.html")
    return redirect("workspace", workspace=target.slug)


@login_required
def workspace(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    request.session["workspace"] = here.slug
    return render(request, "home/workspace.html", {})


@login_required
def workspace_new(request: HttpRequest) -> HttpResponse:
    return redirect("home")
