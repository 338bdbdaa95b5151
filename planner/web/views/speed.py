"""How fast the engine is: its own benchmarks, and other simulators on their own inputs, out of kept snapshots."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.evidence.fidelity import agreement
from planner.evidence.speed import MAKE, speed
from planner.web import speed_rows
from planner.web.figures.speedups import speedup_figure
from simulation import ENGINE_VERSION


@login_required
@require_safe
def speed_page(request: HttpRequest) -> HttpResponse:
    measured, others = speed(), agreement()
    context = {
        "measured": measured,
        "groups": [(group, speed_rows.lines(group)) for group in measured.groups] if measured else [],
        "others": others,
        "figure": speedup_figure(list(speed_rows.ratios(others))) if others else None,
        "running": ENGINE_VERSION,
        "make": MAKE,
    }
    return render(request, "speed/speed.html", context)
