"""Every number of a run with its origin, and for each the way back: formula, inputs, revisions, sources, files."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accounts.selectors import workspace_for
from planner.evidence.trace import Trace, numbers, trace
from planner.studies import selectors
from planner.web.numbers import scale_for
from planner.web.study_facts import revision_url
from planner.web.terms import ORIGIN_MEANINGS
from simulation.provenance import Origin


@login_required
@require_safe
def run_numbers(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    """`?origin=` (as often as wanted) keeps numbers of these origins alone."""
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    asked = [Origin(word) for word in request.GET.getlist("origin") if word in set(Origin)]
    everything = numbers(found)
    known = [one for one in everything if one.figure.value is not None]
    counts = Counter(one.figure.origin for one in known)
    cost = next((one for one in everything if one.parts), None)
    context = {
        "run": found,
        "study": found.scenario.study,
        "asked": asked,
        "rows": [_shown(one) for one in everything if not asked or one.figure.origin in asked],
        "counts": [(origin, counts[origin], counts[origin] / len(known)) for origin in Origin if counts[origin]],
        "shares": list(cost.shares.items()) if cost else [],
    }
    return render(request, "runs/numbers.html", context)


def _shown(one: Trace) -> dict[str, object]:
    return {"trace": one, "scale": scale_for(one.figure.unit, [one.figure.value])}


@login_required
@require_safe
def run_trace(request: HttpRequest, workspace: str, run: UUID, metric: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    traced = trace(found, metric)
    context = {
        "run": found,
        "study": found.scenario.study,
        **_shown(traced),
        "meaning": ORIGIN_MEANINGS[traced.figure.origin],
        "inputs": [(one, revision_url(one.revision)) for one in traced.inputs],
        "shares": list(traced.shares.items()),
    }
    return render(request, "runs/trace.html", context)
