"""Share links: made and shown once, found by the digest of their secret, counted, revoked. They end by themselves."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from planner.accounts.models import ShareLink, User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit

LONGEST_DAYS = 90
_HINT = 6


class ShareError(ValueError):
    """A link that cannot be made."""


@transaction.atomic
def share_create(
    *, workspace: Workspace, user: User, of: ShareLink.Of, target: UUID, name: str, days: int
) -> tuple[ShareLink, str]:
    """A link to the study or run `target` that ends after `days`, and its secret, which is kept nowhere.

    `name` is what the audit log calls the object.
    """
    require(user, workspace, Act.EDIT)
    if not 1 <= days <= LONGEST_DAYS:
        raise ShareError(f"A link lasts 1 to {LONGEST_DAYS} days.")
    secret = secrets.token_urlsafe(32)
    link = ShareLink.objects.create(
        workspace=workspace,
        of=of,
        target=target,
        digest=_digest(secret),
        hint=secret[:_HINT],
        created_by=user,
        expires_at=timezone.now() + timedelta(days=days),
    )
    audit(workspace=workspace, user=user, action="share.create", target=name, link=link.hint, id=str(target), days=days)
    return link, secret


@transaction.atomic
def share_revoke(*, link: ShareLink, user: User) -> ShareLink:
    """End a link now; for good."""
    require(user, link.workspace, Act.EDIT)
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        audit(workspace=link.workspace, user=user, action="share.revoke", target=str(link), id=str(link.target))
    return link


def shares_of(workspace: Workspace, of: ShareLink.Of, target: UUID) -> QuerySet[ShareLink]:
    """The links that were ever made to one object, newest first."""
    return ShareLink.objects.filter(workspace=workspace, of=of, target=target).select_related("created_by")


def share_for(user: User, workspace: Workspace, id: UUID) -> ShareLink | None:
    """A link by its id, for those who may revoke it."""
    require(user, workspace, Act.EDIT)
    return ShareLink.objects.filter(workspace=workspace, pk=id).select_related("workspace").first()


def share_presented(secret: str) -> ShareLink | None:
    """The link with this secret, if it is still good."""
    good = ShareLink.objects.filter(revoked_at=None, expires_at__gt=timezone.now())
    return good.select_related("workspace").filter(digest=_digest(secret)).first()


def share_opened(link: ShareLink) -> None:
    """Count a visit; in the database, so that none is lost where two come at once."""
    ShareLink.objects.filter(pk=link.pk).update(opened=F("opened") + 1, last_opened_at=timezone.now())


def _digest(secret: str) -> str:
    """No salt, no slow hash: the secret is random and longer than anybody can guess."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
