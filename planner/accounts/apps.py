from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "planner.accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from planner.accounts.audit import signed_in, signed_out

        user_logged_in.connect(signed_in, dispatch_uid="audit")
        user_logged_out.connect(signed_out, dispatch_uid="audit")
