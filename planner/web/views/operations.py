"""What machines ask: does this installation work?"""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from planner.studies.runs.health import health


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 where everything works, 503 with what is wrong. Needs no sign-in and tells no names."""
    state = health()
    return JsonResponse(state.document(), status=200 if state.ok else 503)
