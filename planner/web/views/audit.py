"""The audit log, for owners: who did what to which object, when."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accounts.audit import ACTIONS, asked_of, entries, people_in
from planner.accounts.selectors import Act, workspace_for
from planner.web.exports.audit_table import MOST, audit_table, words
from planner.web.exports.files import table_response

ON_A_PAGE = 100


@login_required
@require_safe
def audit(request: HttpRequest, workspace: str) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.ADMINISTER)
    asked = asked_of(request.GET.dict())
    page = Paginator(entries(request.user, here, asked), ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "asked": asked,
        "given": request.GET,
        "page": page,
        "lines": [(entry, words(entry), sorted(entry.detail.items())) for entry in page],
        "actions": ACTIONS,
        "people": people_in(here),
        "query": query.urlencode(),
    }
    return render(request, "accounts/audit.html", context)


@login_required
@require_safe
def audit_file(request: HttpRequest, workspace: str, format: str) -> HttpResponse:
    """The rows that the page shows under the same address, all of them."""
    here = workspace_for(request.user, workspace, Act.ADMINISTER)
    asked = asked_of(request.GET.dict())
    return table_response(audit_table(here, entries(request.user, here, asked)[:MOST], asked), format)
