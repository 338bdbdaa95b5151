"""Share links: made on the page of a study or run, and what somebody without an account sees under one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from planner.accounts.models import ShareLink, Workspace
from planner.accounts.selectors import Act, workspace_for
from planner.accounts.sharing import (
    LONGEST_DAYS,
    ShareError,
    share_create,
    share_for,
    share_opened,
    share_presented,
    share_revoke,
    shares_of,
)
from planner.studies import selectors
from planner.studies.sharing import shared_run, shared_study
from planner.web.exports.report_html import report_html
from planner.web.exports.run_report import run_report
from planner.web.exports.study_report import study_report

DAYS = (1, 7, 30, LONGEST_DAYS)
_PAGES = {ShareLink.Of.STUDY: "study-share", ShareLink.Of.RUN: "run-share"}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def study_share(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.study_for(request.user, here, study, Act.EDIT)
    return _page(request, here, ShareLink.Of.STUDY, found.id, found.question, {"study": found})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def run_share(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = selectors.run_for(request.user, here, run, Act.EDIT)
    name = f"{found.scenario.label}, seed {found.seed}"
    return _page(request, here, ShareLink.Of.RUN, found.id, name, {"run": found, "study": found.scenario.study})


def _page(
    request: HttpRequest, here: Workspace, of: ShareLink.Of, target: UUID, name: str, context: dict[str, Any]
) -> HttpResponse:
    """The secret stands in the answer to the form and nowhere else, so that answer is no redirect."""
    context |= {"name": name, "links": shares_of(here, of, target), "days": DAYS, "now": timezone.now()}
    if request.method != "POST":
        return render(request, "shares/share.html", context)
    days = request.POST.get("days", "")
    try:
        link, secret = share_create(
            workspace=here,
            user=request.user,
            of=of,
            target=target,
            name=name,
            days=int(days) if days.isascii() and days.isdigit() and len(days) < 5 else 0,
        )
    except ShareError as error:
        return render(request, "shares/share.html", context | {"problem": str(error)}, status=400)
    address = request.build_absolute_uri(reverse("shared", args=[secret]))
    return render(request, "shares/share.html", context | {"made": link, "address": address})


@login_required
@require_POST
def revoke(request: HttpRequest, workspace: str, link: UUID) -> HttpResponse:
    here = workspace_for(request.user, workspace, Act.EDIT)
    found = share_for(request.user, here, link)
    if found is None:
        raise Http404("No such link")
    share_revoke(link=found, user=request.user)
    messages.success(request, "The link is revoked: it opens nothing any more.")
    return redirect(_PAGES[ShareLink.Of(found.of)], here.slug, found.target)


@never_cache
@require_safe
def shared(request: HttpRequest, secret: str) -> HttpResponse:
    """The report of one study or run, without an account. Wrong, ended and revoked links look alike: not found."""
    link = share_presented(secret)
    if link is None:
        raise Http404("No such link")
    response = HttpResponse(_content(link, request.GET))
    share_opened(link)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _content(link: ShareLink, view: QueryDict) -> str:
    if link.of == ShareLink.Of.RUN:
        return report_html(run_report(shared_run(link)), shared=True)
    return report_html(study_report(shared_study(link), view), shared=True)
