"""How a run ends: done, failed or cancelled, exactly one of them, and only by the holder of its token."""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from planner.studies.models import Result, Run
from planner.studies.runs.claim import Claim, held
from planner.studies.runs.known import runs_answer_twins
from simulation import ENGINE_VERSION
from simulation.scenario import digest_of

log = logging.getLogger(__name__)


@transaction.atomic
def run_finish(claim: Claim, document: dict[str, Any], compute_s: float) -> bool:
    """Store the result and end the run. False: the claim was lost or cancelled, and nothing is stored."""
    ended = (
        held(claim)
        .filter(cancel_requested=False)
        .update(state=Run.State.DONE, finished_at=Now(), lease_until=None, progress=1.0, reason="")
    )
    if not ended:
        return False
    result = _result_store(claim, document, compute_s)
    Run.objects.filter(pk=claim.run_id).update(result=result)
    runs_answer_twins(claim.digest, claim.seed)
    return True


def run_fail(claim: Claim, reason: str) -> bool:
    """End the run with the reason why it has no result."""
    return _end(claim, Run.State.FAILED, reason)


def run_stopped(claim: Claim) -> bool:
    """End the run as its cancellation asked."""
    return _end(claim, Run.State.CANCELLED, "Cancelled while it ran.")


def _end(claim: Claim, state: Run.State, reason: str) -> bool:
    return bool(held(claim).update(state=state, reason=reason, finished_at=Now(), lease_until=None))


def _result_store(claim: Claim, document: dict[str, Any], compute_s: float) -> Result:
    """Insert the result, or take the one that somebody stored first; two that differ are an engine bug."""
    sha256 = digest_of(document)
    result, created = Result.objects.get_or_create(
        scenario_digest=claim.digest,
        seed=claim.seed,
        engine_version=ENGINE_VERSION,
        defaults={
            "document": document,
            "metrics": document.get("metrics", {}),
            "sha256": sha256,
            "compute_s": compute_s,
        },
    )
    if not created and result.sha256 != sha256:
        log.error("scenario %s seed %s gave two results: %s, %s", claim.digest, claim.seed, result.sha256, sha256)
    return result
