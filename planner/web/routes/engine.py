from __future__ import annotations

from django.urls import path

from planner.web.views import fidelity, speed

urlpatterns = [
    path("fidelity/", fidelity.fidelity, name="fidelity"),
    path("fidelity/rows.<slug:format>", fidelity.fidelity_table, name="fidelity-table"),
    path("speed/", speed.speed_page, name="speed"),
]
