"""Who works on a run: claim, heartbeat, hand back. Each acts on one row by a conditional UPDATE, or not at all."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Exists, F, Q, QuerySet
from django.db.models.functions import Now

from planner.studies.models import Run
from planner.studies.runs.database_time import from_now
from planner.studies.runs.known import runs_answer


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on a run. `token` fences off whoever held it before."""

    run_id: uuid.UUID
    token: uuid.UUID
    digest: str
    seed: int


def held(claim: Claim) -> QuerySet[Run]:
    """The run, as long as this claim holds it."""
    return Run.objects.filter(pk=claim.run_id, token=claim.token, state=Run.State.RUNNING)


def run_claim(run_id: uuid.UUID, worker: str) -> Claim | None:
    """Take a run that is queued, or whose holder's lease has run out. None: someone else has it, or it has ended."""
    if runs_answer([run_id]):
        return None
    asked = Run.objects.filter(pk=run_id).values_list("scenario__digest", "seed").first()
    if asked is None:
        return None
    claim = Claim(run_id, uuid.uuid4(), *asked)
    free = Q(state=Run.State.QUEUED) | Q(state=Run.State.RUNNING, lease_until__lt=Now())
    taken = (
        Run.objects.filter(free, pk=run_id, cancel_requested=False, attempt__lt=settings.RUN_MAX_ATTEMPTS)
        .exclude(Exists(_twins_at_work(claim)))
        .update(
            state=Run.State.RUNNING,
            token=claim.token,
            worker=worker[:100],
            attempt=F("attempt") + 1,
            lease_until=from_now(settings.RUN_LEASE_S),
            started_at=Now(),
            progress=0.0,
        )
    )
    return claim if taken else None


def run_claim_next(worker: str) -> Claim | None:
    """Claim the run that has waited longest (workers without a broker)."""
    waiting = Run.objects.filter(state=Run.State.QUEUED, cancel_requested=False, attempt__lt=settings.RUN_MAX_ATTEMPTS)
    for run_id in waiting.order_by("created_at", "id").values_list("pk", flat=True)[:20]:
        if claim := run_claim(run_id, worker):
            return claim
    return None


def run_heartbeat(claim: Claim, progress: float) -> bool:
    """Extend the lease and note the progress. False: the run is no longer ours, stop."""
    fraction = min(max(progress, 0.0), 1.0)
    return bool(held(claim).update(lease_until=from_now(settings.RUN_LEASE_S), progress=fraction))


def run_release(claim: Claim) -> bool:
    """Hand the run back unfinished, as a worker does that is told to stop; it does not count as an attempt."""
    return bool(_hand_back(held(claim)))


def runs_release_of(worker: str) -> int:
    """Hand back whatever the processes of `worker` still hold after they have stopped."""
    return _hand_back(runs_held_by(worker))


def runs_held_by(worker: str) -> QuerySet[Run]:
    """Runs at work in a process of `worker`, whether or not their leases still hold."""
    return Run.objects.filter(state=Run.State.RUNNING, worker__startswith=f"{worker}/")


def _hand_back(runs: QuerySet[Run]) -> int:
    # enqueued_at is emptied so that the reaper rings at its next round, which also ends those with a cancel pending.
    return runs.filter(cancel_requested=False).update(
        state=Run.State.QUEUED,
        token=None,
        lease_until=None,
        enqueued_at=None,
        progress=0.0,
        attempt=F("attempt") - 1,
    )


def _twins_at_work(claim: Claim) -> QuerySet[Run]:
    """Other runs that are computing the same answer right now; theirs will complete this one."""
    same = Run.objects.filter(scenario__digest=claim.digest, seed=claim.seed)
    return same.filter(state=Run.State.RUNNING, lease_until__gt=Now()).exclude(pk=claim.run_id)
