"""The API below /api/: version 1, the document that describes it, and a page to read and try it."""

from __future__ import annotations

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from api.errors import not_found

app_name = "api"

urlpatterns = [
    path(
        "v1/openapi.json",
        SpectacularJSONAPIView.as_view(authentication_classes=[], permission_classes=[]),
        name="openapi",
    ),
    path("v1/", include("api.v1.urls")),
    re_path("", not_found, name="nowhere"),
]
