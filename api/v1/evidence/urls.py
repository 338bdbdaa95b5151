from __future__ import annotations

from django.urls import path

from api.v1.evidence import bundles, engine, exceptions, library, numbers, points, sources, views

urlpatterns = [
    path("fidelity/", engine.Fidelity.as_view(), name="fidelity"),
    path("speed/", engine.Speed.as_view(), name="speed"),
    path("glossary/", views.Glossary.as_view(), name="glossary"),
    path("w/<slug:workspace>/systems/", views.Systems.as_view(), name="systems"),
    path("w/<slug:workspace>/systems/<slug:system>/", views.OneSystem.as_view(), name="system"),
    path("w/<slug:workspace>/systems/<slug:system>/signature/", views.Signature.as_view(), name="system-signature"),
    path("w/<slug:workspace>/studies/<uuid:study>/bundle.zip", bundles.StudyBundle.as_view(), name="study-bundle"),
    path("w/<slug:workspace>/studies/<uuid:study>/agreement", bundles.StudyAgreement.as_view(), name="study-agreement"),
    path(
        "w/<slug:workspace>/studies/<uuid:study>/exceptions/", exceptions.Exceptions.as_view(), name="study-exceptions"
    ),
    path("w/<slug:workspace>/studies/<uuid:study>/evidence/", points.StudyPoints.as_view(), name="study-evidence"),
    path("w/<slug:workspace>/runs/<uuid:run>/numbers/", numbers.RunNumbers.as_view(), name="run-numbers"),
    path("w/<slug:workspace>/runs/<uuid:run>/numbers/<slug:metric>/", numbers.RunTrace.as_view(), name="run-trace"),
    path("w/<slug:workspace>/runs/<uuid:run>/evidence/", points.RunPoints.as_view(), name="run-evidence"),
    path("w/<slug:workspace>/runs/<uuid:run>/bundle.zip", bundles.RunBundle.as_view(), name="run-bundle"),
    path("w/<slug:workspace>/imports/bundle/", bundles.BundleImport.as_view(), name="bundle-import"),
    path("w/<slug:workspace>/sources/", sources.Sources.as_view(), name="sources"),
    path(
        "w/<slug:workspace>/sources/<uuid:source>/correction/",
        sources.SourceCorrection.as_view(),
        name="source-correction",
    ),
    path("w/<slug:workspace>/library/", library.Library.as_view(), name="library"),
    path("w/<slug:workspace>/grid/", views.Grid.as_view(), name="grid"),
]
