"""The sweep that leaves no run behind. Conditional UPDATEs only, so that any number may sweep at once."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from planner.studies.models import Run
from planner.studies.runs.database_time import from_now
from planner.studies.runs.doorbell import messages_waiting, ring

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sweep:
    requeued: int
    gave_up: int
    cancelled: int
    rung: int


def runs_reap() -> Sweep:
    """Re-queue runs whose holder is gone, give up on those that were tried too often, ring for those that wait."""
    expired = Run.objects.filter(state=Run.State.RUNNING, lease_until__lt=Now())
    cancelled = expired.filter(cancel_requested=True).update(
        state=Run.State.CANCELLED, reason="Cancelled; its worker had stopped.", finished_at=Now(), lease_until=None
    )
    wanted = expired.filter(cancel_requested=False)
    gave_up = wanted.filter(attempt__gte=settings.RUN_MAX_ATTEMPTS).update(
        state=Run.State.FAILED, finished_at=Now(), lease_until=None, token=None,
        reason=f"Gave up after {settings.RUN_MAX_ATTEMPTS} attempts: each time the worker stopped without a result.",
    )  # fmt: skip
    requeued = wanted.filter(attempt__lt=settings.RUN_MAX_ATTEMPTS).update(
        state=Run.State.QUEUED, token=None, lease_until=None, enqueued_at=None, progress=0.0
    )
    sweep = Sweep(requeued, gave_up, cancelled, _ring_again())
    if any((requeued, gave_up, cancelled, sweep.rung)):
        log.info("reaper: %s", sweep)
    return sweep


def _ring_again() -> int:
    """Ring for runs whose message may be lost: where fewer messages wait than runs, and never beyond a limit."""
    messages = messages_waiting()
    if messages is None:
        return 0
    waiting = Run.objects.filter(state=Run.State.QUEUED).count()
    room = max(min(waiting, settings.RUN_RING_LIMIT) - messages, 0)
    candidates = _unheard().order_by("created_at", "id").values_list("pk", flat=True)[:room]
    return ring([run_id for run_id in candidates if _take_bell(run_id)])


def _unheard() -> QuerySet[Run]:
    old = Q(enqueued_at__isnull=True) | Q(enqueued_at__lt=from_now(-settings.RUN_REQUEUE_AFTER_S))
    return Run.objects.filter(old, state=Run.State.QUEUED)


def _take_bell(run_id: UUID) -> bool:
    """True for the one reaper that shall ring for this run now."""
    return bool(_unheard().filter(pk=run_id).update(enqueued_at=Now()))
