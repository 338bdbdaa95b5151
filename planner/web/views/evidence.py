"""The reviewer's twelve points about a study and about a run, as a page that prints well."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accounts.selectors import workspace_for
from planner.evidence.bundles.bringing_in import agreement_of
from planner.evidence.point_facts import Facts, facts_of_run, facts_of_study
from planner.evidence.points import Answer, points
from planner.studies import selectors


@login_required
@require_safe
def study_evidence(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.study_for(request.user, here, study)
    context = {"study": found, "agreement": agreement_of(found), **_answered(facts_of_study(found))}
    return render(request, "evidence/points.html", context)


@login_required
@require_safe
def run_evidence(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found = selectors.run_for(request.user, here, run)
    context = {"run": found, "study": found.scenario.study, **_answered(facts_of_run(found))}
    return render(request, "evidence/points.html", context)


def _answered(facts: Facts) -> dict[str, Any]:
    answered = points(facts)
    answers = [point.finding.answer for point in answered]
    return {"points": answered, "counts": [(answer, answers.count(answer)) for answer in Answer]}
