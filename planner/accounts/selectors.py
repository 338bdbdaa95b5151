"""Reads of people and workspaces, and the one question of permission."""

from __future__ import annotations

from enum import StrEnum

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from planner.accounts.models import Membership, Role, User, Workspace


class Act(StrEnum):
    """What a person may want to do in a workspace."""

    READ = "read"
    EDIT = "edit"  # catalogue, imports, studies, runs
    REVIEW = "review"  # exceptions of comparability
    ADMINISTER = "administer"  # members, deletion


_ALLOWED = {
    Act.READ: set(Role),
    Act.EDIT: {Role.PLANNER, Role.OWNER},
    Act.REVIEW: {Role.REVIEWER, Role.OWNER},
    Act.ADMINISTER: {Role.OWNER},
}


def workspaces_of(user: User) -> QuerySet[Workspace]:
    return Workspace.objects.filter(memberships__user=user)


def role_in(user: User, workspace: Workspace) -> Role | None:
    row = Membership.objects.filter(user=user, workspace=workspace).values_list("role", flat=True).first()
    return Role(row) if row else None


def may(user: User, workspace: Workspace, act: Act) -> bool:
    return role_in(user, workspace) in _ALLOWED[act]


def require(user: User, workspace: Workspace, act: Act = Act.READ) -> None:
    """Raise Http404 for strangers (existence is not told) and PermissionDenied for members without the right."""
    role = role_in(user, workspace)
    if role is None:
        raise Http404("No such workspace")
    if role not in _ALLOWED[act]:
        raise PermissionDenied(f"The role {role} may not {act} here; ask an owner of this workspace.")


def workspace_for(user: User, slug: str, act: Act = Act.READ) -> Workspace:
    """The workspace with `slug`, if `user` may do `act` there."""
    workspace = workspaces_of(user).filter(slug=slug).first()
    if workspace is None:
        raise Http404("No such workspace")
    require(user, workspace, act)
    return workspace
