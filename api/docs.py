"""The page on which the API is read and tried, out of files of our own."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@login_required
@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html")
