"""Each request has a name that stands in its answer, in every problem and in the log."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
_SAFE = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def request_id(request: HttpRequest) -> str:
    return getattr(request, "id", "")


def named_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware. A name that a proxy gave is kept where it is harmless."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request.id = given if _SAFE.fullmatch(given) else uuid.uuid4().hex
        response = get_response(request)
        response[HEADER] = request.id
        return response

    return middleware
