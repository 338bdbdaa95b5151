"""Tokens of programs: made and shown once, found by their digest, revoked. They end by themselves."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from planner.accounts.models import ApiToken, User
from planner.accounts.selectors import workspaces_of
from planner.accounts.services import audit

PREFIX = "hr_"
"""So that a token is known for what it is where somebody has left one lying about."""
LONGEST_DAYS = 366
_HINT = len(PREFIX) + 5
_SEEN_EVERY = timedelta(minutes=1)


class TokenError(ValueError):
    """A token that cannot be made; `field` is what was wrong."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


@transaction.atomic
def token_create(*, user: User, name: str, scope: str, days: int) -> tuple[ApiToken, str]:
    """A token that ends after `days`, and its secret, which is kept nowhere."""
    named = " ".join(name.replace("\x00", "").split())
    if not 1 <= len(named) <= 100:
        raise TokenError("name", "Give a name of 1 to 100 characters: what will use this token?")
    if scope not in ApiToken.Scope.values:
        raise TokenError("scope", f"Expected one of {', '.join(ApiToken.Scope.values)}.")
    if not 1 <= days <= LONGEST_DAYS:
        raise TokenError("days", f"A token lasts 1 to {LONGEST_DAYS} days.")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=named,
        scope=scope,
        digest=_digest(secret),
        hint=secret[:_HINT],
        expires_at=timezone.now() + timedelta(days=days),
    )
    _audit(token, "token.create")
    return token, secret


@transaction.atomic
def token_revoke(*, token: ApiToken, user: User) -> ApiToken:
    """End a token now; for good. Only its own person may."""
    if token.user_id != user.pk:
        raise ApiToken.DoesNotExist
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        _audit(token, "token.revoke")
    return token


def tokens_of(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user)


def token_presented(secret: str) -> ApiToken | None:
    """The token with this secret, whether or not it is still good."""
    return ApiToken.objects.select_related("user").filter(digest=_digest(secret)).first()


def refusal(token: ApiToken | None) -> str:
    """Why a presented token opens nothing, as a sentence; "" where it does."""
    if token is None or not token.user.is_active:
        return "This token is not known."
    if token.revoked_at is not None:
        return "This token was revoked."
    if token.expires_at <= timezone.now():
        return f"This token ended on {token.expires_at:%Y-%m-%d}. Make another one."
    return ""


def token_seen(token: ApiToken) -> None:
    """Note that a token was used, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > _SEEN_EVERY:
        token.last_used_at = now
        token.save(update_fields=["last_used_at"])


def _digest(secret: str) -> str:
    """No salt, no slow hash: the secret is random and longer than anybody can guess."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _audit(token: ApiToken, action: str) -> None:
    """A token reaches every workspace of its person, so each of them hears of it."""
    for workspace in workspaces_of(token.user):
        audit(workspace=workspace, user=token.user, action=action, target=token.name, scope=token.scope)
