"""What every metric and every word of the pages means; the metrics come from the engine's registry."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from planner.web.terms import ORIGIN_MEANINGS, TERMS
from simulation.metrics.definitions import METRICS, OBJECTIVES


@login_required
def glossary(request: HttpRequest) -> HttpResponse:
    context = {"metrics": METRICS.values(), "objectives": OBJECTIVES, "terms": TERMS, "origins": ORIGIN_MEANINGS}
    return render(request, "glossary.html", context)
