"""The tokens of the person who is signed in: made and shown once, revoked."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from planner.accounts.models import ApiToken
from planner.accounts.tokens import LONGEST_DAYS, TokenError, token_create, token_revoke, tokens_of

DAYS = (7, 30, 90, LONGEST_DAYS)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The secret stands in the answer to the form and nowhere else, so that answer is no redirect."""
    if request.method != "POST":
        return _page(request)
    given = request.POST
    days = given.get("days", "")
    try:
        made, secret = token_create(
            user=request.user,
            name=given.get("name", ""),
            scope=given.get("scope", ""),
            days=int(days) if days.isascii() and days.isdigit() and len(days) < 5 else 0,
        )
    except TokenError as error:
        return _page(request, problem=str(error), status=400)
    return _page(request, made=made, secret=secret)


def _page(
    request: HttpRequest, *, made: ApiToken | None = None, secret: str = "", problem: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "tokens": tokens_of(request.user),
        "scopes": ApiToken.Scope.choices,
        "days": DAYS,
        "given": request.POST if problem else {"scope": ApiToken.Scope.READ, "days": "30"},
        "made": made,
        "secret": secret,
        "problem": problem,
        "now": timezone.now(),
    }
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: HttpRequest, token: UUID) -> HttpResponse:
    found = tokens_of(request.user).filter(pk=token).first()
    if found is None:
        raise Http404("No such token")
    token_revoke(token=found, user=request.user)
    messages.success(request, f"{found.name} is revoked: nothing is answered to it any more.")
    return redirect("tokens")
