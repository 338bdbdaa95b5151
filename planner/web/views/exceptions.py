"""What may not be compared in a study and why, and the exceptions that reviewers have recorded or ended."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from planner.accounts.selectors import Act, may, workspace_for
from planner.evidence.exceptions import LEAST, ExceptionError, exception_record, exception_revoke, history, refusals_of
from planner.studies import selectors
from planner.studies.models import Scenario, Study


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study_exceptions(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    act = Act.REVIEW if request.method == "POST" else Act.READ
    here = workspace_for(request.user, workspace, act)
    found = selectors.study_for(request.user, here, study, act)
    problem = ""
    if request.method == "POST":
        problem = _done(request, found)
        if not problem:
            return redirect("study-exceptions", workspace=here.slug, study=found.id)
    context = _page(found) | {"problem": problem, "may_review": may(request.user, here, Act.REVIEW), "least": LEAST}
    return render(request, "evidence/exceptions.html", context, status=400 if problem else 200)


def _done(request: HttpRequest, study: Study) -> str:
    """What is wrong with what was asked, in a sentence; "" where it was done."""
    scenario = next((s for s in selectors.scenarios(study) if str(s.id) == request.POST.get("scenario")), None)
    if scenario is None:
        return "No scenario of this study was named."
    write = exception_revoke if request.POST.get("act") == "end" else exception_record
    try:
        row = write(scenario=scenario, user=request.user, justification=request.POST.get("justification", ""))
    except ExceptionError as error:
        return str(error)
    said = "is compared by exception from now on; it says so on every chart" if row.admits else "is refused again"
    messages.success(request, f"{scenario.label} {said}.")
    return ""


def _page(study: Study) -> dict[str, object]:
    refused, rows = refusals_of(study), list(history(study))
    standing = {row.scenario_id: row for row in rows if not hasattr(row, "superseded_by")}
    scenarios: dict[UUID, Scenario] = {s.id: s for s in selectors.scenarios(study) if s.id in refused}
    lines = [
        {
            "scenario": scenario,
            "refusal": refused[id],
            "exception": row if (row := standing.get(id)) and row.admits and row.refusal == refused[id] else None,
        }
        for id, scenario in scenarios.items()
    ]
    return {"study": study, "lines": lines, "history": rows}
