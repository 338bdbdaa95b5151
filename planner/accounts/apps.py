from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "planner.accounts"
    default_auto_field = "django.db.models.BigAutoField"
