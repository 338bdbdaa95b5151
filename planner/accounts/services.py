"""Writes of people and workspaces."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.text import slugify

from planner.accounts.models import AuditEntry, Membership, Role, User, Workspace


def audit(*, workspace: Workspace, user: User | None, action: str, target: str, **detail: Any) -> None:
    AuditEntry.objects.create(workspace=workspace, user=user, action=action, target=target[:120], detail=detail)


@transaction.atomic
def first_user_create(*, username: str, password: str) -> User | None:
    """The administrator of a new installation; None where anybody has an account already."""
    if User.objects.exists():
        return None
    return User.objects.create_superuser(username=username, password=password)


@transaction.atomic
def workspace_create(*, name: str, owner: User, slug: str | None = None, is_example: bool = False) -> Workspace:
    """A workspace with `owner` as its first member. The slug is made unique by a number where needed."""
    base = slug or slugify(name)[:50] or "workspace"
    candidate, n = base, 1
    while Workspace.objects.filter(slug=candidate).exists():
        n += 1
        candidate = f"{base}-{n}"
    workspace = Workspace.objects.create(name=name, slug=candidate, is_example=is_example)
    Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
    audit(workspace=workspace, user=owner, action="workspace.create", target=name)
    return workspace


@transaction.atomic
def member_set(*, workspace: Workspace, user: User, role: Role, by: User | None = None) -> Membership:
    """Make `user` a member with `role`, or change the role."""
    membership, _ = Membership.objects.update_or_create(workspace=workspace, user=user, defaults={"role": role})
    audit(workspace=workspace, user=by, action="member.set", target=user.get_username(), role=str(role))
    return membership
