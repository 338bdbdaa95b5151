from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "planner.web"
    default_auto_field = "django.db.models.BigAutoField"
