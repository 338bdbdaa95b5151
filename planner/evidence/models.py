"""What was found out about systems, whoever asked: it belongs to no workspace."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import models


class SignatureRun(models.Model):
    """A signature that was asked for, and, once a worker has run it, what was found."""

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
