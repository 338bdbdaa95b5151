"""Who works here: people and their tokens, workspaces, memberships with a role, share links, and the audit log."""

from __future__ import annotations

import uuid
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models

from planner.accounts.immutable import Immutable, ImmutableError, ImmutableRows


class User(AbstractUser):
    """A person who can sign in."""


class ApiToken(models.Model):
    """A secret by which a program acts for a person. Only its digest is kept, so nobody can read it again."""

    class Scope(models.TextChoices):
        READ = "read", "Read only"
        FULL = "full", "All that you may do"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=4, choices=Scope.choices, default=Scope.READ)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12, help_text="how the secret begins, to tell one from another")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    PLANNER = "planner", "Planner"
    MANAGER = "manager", "Manager"
    REVIEWER = "reviewer", "Reviewer"
    OWNER = "owner", "Owner"


class Workspace(models.Model):
    """One team's world: nothing in it is seen from another."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(unique=True, max_length=60)
    name = models.CharField(max_length=100)
    is_example = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="workspaces")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "user"], name="one_role_a_person")]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.workspace}"


class ShareLink(models.Model):
    """An address under which people without an account read one study or run. Only the digest of its secret is kept.

    What it opens is looked up in its own workspace, so that a link can never lead out of there.
    """

    class Of(models.TextChoices):
        STUDY = "study", "Study"
        RUN = "run", "Run"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="share_links")
    of = models.CharField(max_length=5, choices=Of.choices)
    target = models.UUIDField()
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12, help_text="how the secret begins, to tell one from another")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    opened = models.PositiveIntegerField(default=0)
    last_opened_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["workspace", "of", "target"], name="share_links_of_one")]

    def __str__(self) -> str:
        return f"{self.hint}… to a {self.of}"


class AuditRows(ImmutableRows):
    def delete(self) -> NoReturn:
        raise ImmutableError("The audit log is only added to; it goes with its workspace.")


class AuditEntry(Immutable):
    """Who did what to which object, when. Rows are only ever added."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="audit")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=120)
    detail = models.JSONField(default=dict)
    objects = AuditRows.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["workspace", "-at"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableError("The audit log is only added to; it goes with its workspace.")
