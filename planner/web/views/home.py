"""The first page: where to begin, what is under way, whether everything answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, may, workspace_for, workspaces_of
from planner.accounts.services import workspace_create
from planner.catalog.models import Kind
from planner.catalog.selectors import items
from planner.compare.board import board
from planner.compare.fronts import front
from planner.studies.counts import queue_counts
from planner.studies.example import example_create, example_delete, example_of
from planner.studies.models import Study
from planner.studies.runs.health import health
from planner.studies.runs.selectors import queue_state
from planner.studies.selectors import studies
from planner.studies.waiting import places
from planner.web.figures.thumb import Thumb, thumb
from planner.web.live import live
from planner.web.study_view import telling_axes

RECENT = 4
AT_WORK = 3
_ADDRESSES = {Kind.CLUSTER: "cluster", Kind.WORKLOAD: "workload", Kind.PRICES: "price-sheet", Kind.SLOS: "slo-set"}


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Send people to the workspace they were in last, or belong to first (the example comes last)."""
    mine = {w.slug: w for w in workspaces_of(request.user).order_by("is_example", "created_at")}
    target = mine.get(request.session.get("workspace", "")) or next(iter(mine.values()), None)
    if target is None:
        return render(request, "home/workspace_new.html")
    return redirect("workspace", workspace=target.slug)


@login_required
def workspace(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    request.session["workspace"] = here.slug
    recent = list(studies(here)[:RECENT])
    context = _pulse(here) | {
        "cards": [(study, small_front(study)) for study in recent],
        "data": _data(here),
        "example": example_of(request.user),
        "may_edit": may(request.user, here, Act.EDIT),
        "may_delete": here.is_example and may(request.user, here, Act.ADMINISTER),
    }
    empty = not recent and not any(found for _, _, found in context["data"])
    return render(request, "home/empty.html" if empty else "home/workspace.html", context)


def small_front(study: Study) -> Thumb | None:
    """The default front of a study as a thumbnail; None while nothing is finished."""
    table = board(study)
    return thumb(front(table, *telling_axes(table)))


def _data(here: Workspace) -> list[tuple[str, str, Any]]:
    """The newest item of each kind: (label, address name, item or None)."""
    rows = [(kind, items(here, kind).order_by("-newest_at").first()) for kind in _ADDRESSES]
    return [(kind.label, _ADDRESSES[kind], item if item and item.newest_id else None) for kind, item in rows]


def _pulse(here: Workspace) -> dict[str, Any]:
    """What changes by itself: queue and health."""
    state = queue_state(here)
    return {"health": health(), "state": state, "at_work": list(places(state.rows[:AT_WORK]))}


@login_required
def workspace_pulse(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    return live(request, "home/pulse.html", _pulse(here) | {"workspace": here, "counts": queue_counts(here)})


@login_required
def workspace_new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "home/workspace_new.html")
    name = " ".join(request.POST.get("name", "").replace("\x00", "").split())[:100]
    if not name:
        messages.error(request, "A workspace needs a name.", extra_tags="fail")
        return redirect("workspace-new")
    return redirect("workspace", workspace=workspace_create(name=name, owner=request.user).slug)


@login_required
@require_POST
def example_new(request: HttpRequest) -> HttpResponse:
    made = example_create(user=request.user)
    return redirect("workspace", workspace=made.slug)


@login_required
@require_POST
def workspace_delete(request: HttpRequest, workspace: str) -> HttpResponse:
    """The example goes as a whole; other workspaces are never deleted from a page."""
    here = workspace_for(request.user, workspace, Act.ADMINISTER)
    example_delete(workspace=here, user=request.user)
    messages.info(request, "The example is gone. “Try the example” on an empty workspace brings it back.")
    return redirect("home")
