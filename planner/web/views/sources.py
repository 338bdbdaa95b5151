"""Sources of a workspace, filtered by origin: the other end of every trace."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accounts.selectors import workspace_for
from planner.evidence.sources import counts, revisions_of
from planner.evidence.sources import sources as sources_in
from planner.web.study_facts import revision_url
from simulation.provenance import Origin

ON_A_PAGE = 100


@login_required
@require_safe
def sources(request: HttpRequest, workspace: str) -> HttpResponse:
    """`?origin=` (as often as wanted) keeps sources of these origins alone."""
    here = workspace_for(request.user, workspace)
    asked = [Origin(word) for word in request.GET.getlist("origin") if word in set(Origin)]
    page = Paginator(sources_in(here, asked), ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    lines = [(one, [(r, revision_url(r)) for r in revisions_of(one)], list(one.source_set.all())) for one in page]
    context = {"asked": asked, "page": page, "lines": lines, "counts": counts(here), "query": query.urlencode()}
    return render(request, "evidence/sources.html", context)
