from __future__ import annotations

from django.urls import path

from planner.web.views import systems

urlpatterns = [
    path("systems/", systems.systems, name="systems"),
    path("systems/<slug:system>/", systems.system, name="system"),
    path("systems/<slug:system>/signature/", systems.signature, name="system-signature"),
    path("systems/<slug:system>/signature/state", systems.signature_state, name="system-signature-state"),
    path("grid/", systems.grid, name="grid"),
]
