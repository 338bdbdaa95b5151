"""Entry points and settings. The Celery application is made with the project, so that every process can ring."""

from __future__ import annotations

from planner.config.celery import app as celery_app

__all__ = ["celery_app"]
