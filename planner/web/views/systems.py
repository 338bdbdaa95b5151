"""The library: every system with its recipe, and the grid of what they aim at and with what."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from planner.accounts.selectors import Act, may, workspace_for
from planner.evidence import cited, library
from planner.evidence.services import signature_ask
from planner.evidence.signatures import signature_asked, signature_of
from planner.studies.counts import queue_counts
from planner.web import system_rows
from planner.web.grid_rows import grid_of
from planner.web.live import live
from planner.web.signature_rows import further, signature_figures
from planner.web.system_trials import beside


@login_required
@require_safe
def systems(request: HttpRequest, workspace: str) -> HttpResponse:
    workspace_for(request.user, workspace)
    groups = [(title, [_line(s) for s in library.systems(work)]) for work, title in library.WORK.items()]
    return render(request, "systems/systems.html", {"groups": groups, "count": sum(len(g) for _, g in groups)})


def _line(system: library.System) -> dict[str, object]:
    return {"system": system, "map": system_rows.place_of(system)}


@login_required
@require_safe
def system(request: HttpRequest, workspace: str, system: str) -> HttpResponse:
    from simulation.systems.stages import SEES, loop_of

    here = workspace_for(request.user, workspace)
    found = library.system_for(system)
    stages = loop_of(found.recipe)
    does, _, left_out = found.description.partition(" Left out: ")
    context = {
        "system": found,
        "does": does,
        "left_out": left_out,
        "work": library.WORK[found.workload],
        "knows": SEES[found.recipe.information],
        "stages": stages,
        "mechanisms": len(found.recipe.stages),
        "map": system_rows.place_of(found),
        "parameters": system_rows.parameters(found),
        "claims": system_rows.claims_shown(cited.library(cited.Asked(system=found.slug))),
        **_signature(found),
        **beside(here, found),
        "may_edit": may(request.user, here, Act.EDIT),
    }
    return render(request, "systems/system.html", context)


def _signature(system: library.System) -> dict[str, object]:
    run, asked, words = signature_of(system.slug), signature_asked(system.slug), system.signature
    if words is None:
        return {"signed": None}
    figures = signature_figures(run, words.title, words.workload) if run else []
    return {
        "signed": words,
        "signature": run,
        "asked": asked,
        "signature_figures": figures,
        "further": further(run.document) if run else [],
    }


@login_required
@require_POST
def signature(request: HttpRequest, workspace: str, system: str) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    if signature_ask(workspace=here, user=request.user, system=system) is None:
        messages.warning(request, "This system has no signature: there is nothing that sets it apart.")
    else:
        messages.success(request, "Its signature waits for a worker. It takes seconds.")
    return redirect("system", workspace=workspace, system=system)


@login_required
@require_safe
def signature_state(request: HttpRequest, workspace: str, system: str) -> HttpResponse:
    """Whether a worker has run what was asked for, as the page asks it now and then."""
    here = workspace_for(request.user, workspace)
    found = library.system_for(system)
    told = {"signature": signature_of(system), "asked": signature_asked(system), "counts": queue_counts(here)}
    return live(request, "systems/signature_state.html", {"system": found, "workspace": here, **told})


@login_required
@require_safe
def grid(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    asked = request.GET.get("work", "all")
    work = asked if asked in library.WORK else ""
    context = {
        "grid": grid_of(here, library.systems(work)),
        "work": work,
        "unknown": asked if asked not in (work, "all") else "",
        "kinds": [(slug, title, len(library.systems(slug))) for slug, title in library.WORK.items()],
        "all": len(library.systems()),
        "may_edit": may(request.user, here, Act.EDIT),
    }
    return render(request, "systems/grid.html", context)
