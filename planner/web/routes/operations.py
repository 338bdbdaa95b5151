from __future__ import annotations

from django.urls import path

from planner.web.views import operations

urlpatterns = [path("healthz", operations.healthz, name="health")]
