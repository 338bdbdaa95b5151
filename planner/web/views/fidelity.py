"""Agreement with other simulators: every reference case, theirs and ours, out of a kept snapshot."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.evidence.fidelity import MAKE, VERDICTS, agreement
from planner.web import fidelity_rows
from planner.web.exports.files import FORMATS, table_response
from planner.web.figures.agreement import error_figure, identity_figure
from simulation import ENGINE_VERSION


@login_required
@require_safe
def fidelity(request: HttpRequest) -> HttpResponse:
    found = agreement()
    if found is None:
        return render(request, "fidelity/none.html", {"make": MAKE})
    asked = fidelity_rows.filter_of(request.GET, found)
    rows = asked.kept(found.rows)
    pairs = fidelity_rows.pairs(rows)
    context = {
        "found": found,
        "groups": found.groups(),
        "verdicts": VERDICTS,
        "asked": asked,
        "rows": rows,
        "shown": fidelity_rows.shown(found.groups(rows)),
        "figures": [identity_figure(pairs), error_figure(pairs)],
        "formats": FORMATS,
        "running": ENGINE_VERSION,
        "make": MAKE,
    }
    return render(request, "fidelity/fidelity.html", context)


@login_required
@require_safe
def fidelity_table(request: HttpRequest, format: str) -> HttpResponse:
    """The rows that the page shows under the same address."""
    found = agreement()
    if found is None:
        raise Http404("No snapshot of reference cases")
    rows = fidelity_rows.filter_of(request.GET, found).kept(found.rows)
    return table_response(fidelity_rows.table(found, rows), format)
