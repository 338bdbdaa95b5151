"""How often one person, or one token, may ask."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class PerCaller(SimpleRateThrottle):
    """Counted in each web process: with two of them a caller may ask up to twice as often."""

    scope = "caller"

    def get_rate(self) -> str:
        return settings.API_RATE

    def get_cache_key(self, request: Request, view: Any) -> str:
        caller = f"token-{request.auth.pk}" if request.auth else f"user-{request.user.pk}"
        return self.cache_format % {"scope": self.scope, "ident": caller}
