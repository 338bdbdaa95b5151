from __future__ import annotations

from django.urls import path

from planner.web.views import library, sources

urlpatterns = [
    path("library/", library.library, name="library"),
    path("sources/", sources.sources, name="sources"),
    path("sources/<uuid:source>/correction/", sources.source_correction, name="source-correction"),
]
