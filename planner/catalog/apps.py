from __future__ import annotations

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    name = "planner.catalog"
    default_auto_field = "django.db.models.BigAutoField"
