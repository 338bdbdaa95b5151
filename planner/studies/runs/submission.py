"""Putting runs on the queue, and ringing once they are committed."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from planner.studies.models import Run
from planner.studies.runs.doorbell import ring
from planner.studies.runs.known import runs_answer

_CHUNK = 500  # ids in one statement


def runs_enqueue(run_ids: Iterable[UUID]) -> int:
    """Queue these runs; call it inside the transaction that made them. How many wait for a worker.

    Those whose result is known are done at once. The bell rings when the transaction commits; where there is no
    broker then, the runs stay queued and the reaper rings later.
    """
    ids = list(run_ids)
    for chunk in (ids[i : i + _CHUNK] for i in range(0, len(ids), _CHUNK)):
        runs_answer(chunk)
        Run.objects.filter(pk__in=chunk, state=Run.State.QUEUED).update(enqueued_at=Now())
    waiting = _waiting(ids)
    transaction.on_commit(lambda: ring(waiting))
    return len(waiting)


def _waiting(ids: list[UUID]) -> list[UUID]:
    """Those of `ids` that are queued, in the given order."""
    queued: set[UUID] = set()
    for chunk in (ids[i : i + _CHUNK] for i in range(0, len(ids), _CHUNK)):
        queued.update(Run.objects.filter(pk__in=chunk, state=Run.State.QUEUED).values_list("pk", flat=True))
    return [run_id for run_id in ids if run_id in queued]
