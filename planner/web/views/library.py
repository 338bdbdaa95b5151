"""The cited library: what was published elsewhere, filtered, by system."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accounts.selectors import workspace_for
from planner.evidence import cited
from planner.evidence.library import systems
from planner.web.system_rows import claims_shown
from simulation.library.published import CONFIDENCES, claims, works


@login_required
@require_safe
def library(request: HttpRequest, workspace: str) -> HttpResponse:
    workspace_for(request.user, workspace)
    asked = cited.asked_of(request.GET)
    found = cited.library(asked)
    claimed = {one.work.slug for one in claims()}
    context = {
        "asked": asked,
        "claims": claims_shown(found),
        "total": len(claims()),
        "of_works": len({one.work.slug for one in found}),
        "works": [work for work in works().values() if work.slug in claimed],
        "metrics": cited.metrics(),
        "confidences": CONFIDENCES,
        "runnable": {system.slug for system in systems()},
    }
    return render(request, "library/library.html", context)
