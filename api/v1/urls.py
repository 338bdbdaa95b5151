"""Version 1. An address of the API is that of its page, below /api/v1."""

from __future__ import annotations

from django.urls import include, path

_PARTS = ("accounts", "catalog", "studies", "compare", "evidence")

urlpatterns = [path("", include(f"api.v1.{part}.urls")) for part in _PARTS]
