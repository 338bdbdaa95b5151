from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def study_new(request: HttpRequest, workspace: str) -> HttpResponse:
    return HttpResponse("")
