from __future__ import annotations

from django.urls import include, path

from api.docs import docs

urlpatterns = [
    path("api/", docs, name="api-docs"),
    path("api/", include("api.urls", namespace="api")),
    path("", include("planner.web.urls")),
]
handler500 = "api.errors.server_error"
