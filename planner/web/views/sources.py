"""Sources of a workspace, filtered by origin: the other end of every trace; and saying anew what one of them is."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from planner.accounts.selectors import Act, may, workspace_for
from planner.catalog.documents import DocumentError
from planner.catalog.selectors import source_for
from planner.catalog.services import source_correct
from planner.evidence.sources import counts, revisions_of
from planner.evidence.sources import sources as sources_in
from planner.web.forms.sources import CorrectionForm
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
    context["may_edit"] = may(request.user, here, Act.EDIT)
    return render(request, "evidence/sources.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def source_correction(request: HttpRequest, workspace: str, source: Any) -> HttpResponse:
    """A source that supersedes this one; what is there is never edited."""
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = source_for(here, source)
    form = CorrectionForm(request.POST or None, initial={"title": found.title})
    if form.is_valid():
        try:
            newer = source_correct(source=found, user=request.user, **form.cleaned_data)
        except DocumentError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"“{found.title}” is superseded; what rests on it keeps its marks.")
            return redirect(f"{reverse('sources', args=[here.slug])}#{newer.pk}")
    context = {"source": found, "form": form, "newer": found.source_set.first()}
    return render(request, "evidence/source_correction.html", context, status=400 if form.is_bound else 200)
