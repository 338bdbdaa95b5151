"""What was found out about systems, what came in as bundles, and exceptions that reviewers have recorded."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import models

from planner.accounts.immutable import Immutable
from planner.studies.models import Scenario, Study


class SignatureRun(models.Model):
    """A signature that was asked for, and, once a worker has run it, what was found. It belongs to no workspace."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    system = models.CharField(max_length=60)
    engine_version = models.CharField(max_length=40)
    seeds = models.PositiveSmallIntegerField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    document = models.JSONField(null=True)  # null: not finished

    class Meta:
        indexes = [models.Index(fields=["system", "-finished_at"], name="signature_latest")]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "engine_version"],
                condition=models.Q(finished_at__isnull=True),
                name="signature_asked_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.system}, {self.seeds} seeds"


class BundleImport(models.Model):
    """Where an imported study comes from, and what the bundle claims of each run. Its results were computed here."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="brought_in")
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    engine = models.CharField(max_length=40)
    anonymised = models.TextField(blank=True, help_text="the rule by which names were replaced; empty: true names")
    claims = models.JSONField(help_text="scenario digest and seed -> sha256 of the result")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.file_name


class ComparabilityException(Immutable):
    """A reviewer's word that a refused scenario may be compared all the same, or that it may no longer.

    The newest row of a scenario holds: each supersedes the one before, and none is ever edited.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="exceptions")
    refusal = models.TextField(help_text="why it was refused; under another reason the exception does not hold")
    admits = models.BooleanField(help_text="False: it ends the exception that it supersedes")
    justification = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    supersedes = models.OneToOneField("self", null=True, on_delete=models.CASCADE, related_name="superseded_by")

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["scenario"], condition=models.Q(supersedes__isnull=True), name="one_first_exception"
            )
        ]

    def __str__(self) -> str:
        return f"{self.scenario}: {'compared by exception' if self.admits else 'exception ended'}"
