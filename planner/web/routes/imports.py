from __future__ import annotations

from django.urls import URLPattern, path

from planner.web.views import bundles, imports

urlpatterns: list[URLPattern] = [
    path("", imports.imports, name="imports"),
    path("new/", imports.import_new, name="import-new"),
    path("bundle/", bundles.bring_in, name="bundle-import"),
    path("<uuid:importing>/", imports.import_, name="import"),
    path("<uuid:importing>/rejected.csv", imports.rejected, name="import-rejected"),
    path("<uuid:importing>/discard/", imports.discard, name="import-discard"),
    path("<uuid:importing>/again/", imports.again, name="import-again"),
]
