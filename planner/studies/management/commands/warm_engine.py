"""Compiles the engine into the folder of kernels, so that what starts next does not have to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from planner.studies.runs.warmup import engine_warm


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        engine_warm()
