"""The map of pages. Everything of a workspace stands under /w/<workspace>/; one routes module a part."""

from __future__ import annotations

from django.urls import include, path

from planner.web.views.share import shared

urlpatterns = [
    path("", include("planner.web.routes.operations")),
    path("", include("planner.web.routes.home")),
    path("", include("planner.web.routes.engine")),
    path("w/<slug:workspace>/", include("planner.web.routes.catalog")),
    path("w/<slug:workspace>/imports/", include("planner.web.routes.imports")),
    path("w/<slug:workspace>/studies/", include("planner.web.routes.studies")),
    path("w/<slug:workspace>/", include("planner.web.routes.runs")),
    path("w/<slug:workspace>/", include("planner.web.routes.systems")),
    path("w/<slug:workspace>/", include("planner.web.routes.evidence")),
    path("w/<slug:workspace>/", include("planner.web.routes.exports")),
    path("w/<slug:workspace>/", include("planner.web.routes.sharing")),
    path("shared/<str:secret>/", shared, name="shared"),
]
