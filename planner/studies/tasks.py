"""The task behind the bell. It never retries: the database knows what is left to do."""

from __future__ import annotations

import os
from uuid import UUID

from celery import shared_task

from planner.studies.runs.doorbell import TASK
from planner.studies.runs.execution import run_execute
from planner.studies.runs.presence import slot_name


@shared_task(name=TASK)
def execute(run_id: str) -> None:
    run_execute(UUID(run_id), slot_name(os.environ.get("HEADROOM_WORKER", "worker")))
