"""The task behind the bell of signatures. It never retries: the row tells that it was not run."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from planner.evidence.services import TASK, signature_work


@shared_task(name=TASK)
def run(asked_id: str) -> None:
    signature_work(UUID(asked_id))
