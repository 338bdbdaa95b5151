"""What the API itself has to remember: requests that name a key, so that a repetition changes nothing."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeyedRequest(models.Model):
    """A request that was done under an Idempotency-Key, and what was answered. Kept for a day."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64, help_text="sha256 of method, path and content")
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="key_once_a_person")]

    def __str__(self) -> str:
        return self.key
