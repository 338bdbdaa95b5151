from __future__ import annotations

from django.urls import path

from api.v1.evidence import views

urlpatterns = [
    path("glossary/", views.Glossary.as_view(), name="glossary"),
    path("w/<slug:workspace>/systems/", views.Systems.as_view(), name="systems"),
    path("w/<slug:workspace>/systems/<slug:system>/", views.OneSystem.as_view(), name="system"),
    path("w/<slug:workspace>/systems/<slug:system>/signature/", views.Signature.as_view(), name="system-signature"),
    path("w/<slug:workspace>/grid/", views.Grid.as_view(), name="grid"),
]
