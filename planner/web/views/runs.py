from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse


def run(request: HttpRequest, workspace: str, run: UUID) -> HttpResponse:
    return HttpResponse("")
