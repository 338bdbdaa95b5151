"""Who works here: people and their tokens, workspaces, memberships with a role, and the audit log."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models


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


class AuditEntry(models.Model):
    """Who did what to which object, when. Rows are only ever added."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="audit")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=120)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
