"""Answers to polling: a fragment with an ETag, and 304 where nothing has changed."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string


def live(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The rendered `template`, or 304 where the browser holds the same text already."""
    text = render_to_string(template, context, request)
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag, "Cache-Control": "no-store"})
    return HttpResponse(text, headers={"ETag": etag, "Cache-Control": "no-store"})
