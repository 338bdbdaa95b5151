"""The study builder: what to compare, how many runs that is, how many are known, and how long it takes."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, workspace_for
from planner.studies import selectors
from planner.studies.planning import Plan, study_plan
from planner.studies.services import study_create
from planner.studies.spec import SpecError
from planner.web import study_drafts, study_links
from planner.web.forms.study import FIELDS, Asked, asked
from planner.web.study_options import Options, options


@login_required
def study_new(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    if request.method == "POST":
        return _create(request, here)
    given = _start(request, here)
    offered = options(here, given)
    given, offered = study_links.followed(here, request.GET, given, offered)
    if request.GET.getlist("serving") and not given.getlist("serving"):
        messages.info(request, "No policy of services is ticked: the workload has no services.")
    return render(request, "studies/new.html", _context(here, given, offered))


def _start(request: HttpRequest, here: Workspace) -> QueryDict:
    """Like another study, afresh, or as it was left; else as it is proposed."""
    if "like" in request.GET:
        return study_drafts.like(selectors.study_for(request.user, here, request.GET["like"]))
    if "fresh" in request.GET:
        study_drafts.forget(request, here)
    return study_drafts.kept(request, here) or study_drafts.proposed(here)


def _context(here: Workspace, given: QueryDict, offered: Options) -> dict[str, Any]:
    read = _asked(given, offered)
    plan = study_plan(here, read.base, read.axes) if offered.ready else None
    if plan:
        read.complain(plan.problems)
    return _shown(given, offered, read, plan)


def _asked(given: QueryDict, offered: Options) -> Asked:
    return asked(given, [p.name for p in offered.pools], services=offered.has_services)


def _shown(given: QueryDict, offered: Options, read: Asked, plan: Plan | None) -> dict[str, Any]:
    chosen = {name: given.getlist(name) for name in ("policy", "serving", "sheet")}
    return {
        "given": given,
        "chosen": chosen,
        "options": offered,
        "errors": read.errors,
        "fields": FIELDS,
        "plan": plan,
        "settings": {p.slug: given.get(f"parameters-{p.slug}", "") for p in offered.training},
        "nodes": {p.name: given.get(f"nodes-{p.name}", "") for p in offered.pools},
        "overheads": [(n, words, given.get(f"overhead-{n}", default)) for n, words, default in _OVERHEADS],
    }


_OVERHEADS = (
    ("start_s", "start of a job", "0"),
    ("checkpoint_s", "checkpoint", "0"),
    ("restart_s", "restart after a preemption", "0"),
    ("resize_s", "change of the number of GPUs", "0"),
    ("checkpoint_interval_s", "time between checkpoints; empty: none", ""),
)


@login_required
@require_POST
def study_new_plan(request: HttpRequest, workspace: str) -> HttpResponse:
    """The plan of the form as it stands, and the complaints beside its fields. Keeps the draft."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    study_drafts.keep(request, here, request.POST)
    context = _context(here, request.POST, options(here, request.POST))
    return render(request, "studies/new_plan.html", context | {"trigger": request.htmx.trigger_name})


def _create(request: HttpRequest, here: Workspace) -> HttpResponse:
    offered = options(here, request.POST)
    read = _asked(request.POST, offered)
    if not any(read.errors.values()):
        try:
            made = study_create(
                workspace=here, user=request.user, question=read.question, base=read.base, axes=read.axes
            )
        except SpecError as error:
            read.complain(error.problems)
        else:
            study_drafts.forget(request, here)
            if request.POST.getlist("serving") and not offered.has_services:
                messages.info(request, "Policies of services were left out: the workload has no services.")
            return redirect("study", workspace=here.slug, study=made.id)
    study_drafts.keep(request, here, request.POST)
    plan = study_plan(here, read.base, read.axes)
    return render(request, "studies/new.html", _shown(request.POST, offered, read, plan), status=422)
