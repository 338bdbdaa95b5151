"""Writes of evidence: signatures are asked for by people, and run by workers or on the command line."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.evidence.library import system_for
from planner.evidence.models import SignatureRun
from planner.studies.runs.doorbell import ring
from simulation import ENGINE_VERSION

TASK = "signatures.run"
SEEDS = 20


@transaction.atomic
def signature_ask(*, workspace: Workspace, user: User, system: str) -> SignatureRun | None:
    """Ask a worker to run the signature of a system; None where the system has none.

    Asked twice before it is run, it is one question; the bell is rung again, should nobody have heard it.
    """
    require(user, workspace, Act.EDIT)
    if system_for(system).signature is None:
        return None
    asked, new = SignatureRun.objects.get_or_create(
        system=system,
        engine_version=ENGINE_VERSION,
        finished_at=None,
        defaults={"seeds": SEEDS, "asked_by": user},
    )
    if new:
        audit(workspace=workspace, user=user, action="signature.ask", target=system, id=str(asked.id))
    transaction.on_commit(partial(ring, [asked.id], TASK))
    return asked


def signature_work(asked_id: UUID) -> bool:
    """Run what was asked for. False where somebody else has done so: equal seeds give equal results."""
    asked = SignatureRun.objects.filter(pk=asked_id, finished_at=None).first()
    if asked is None:
        return False
    document = _found(asked.system, asked.seeds)
    done = SignatureRun.objects.filter(pk=asked_id, finished_at=None).update(
        document=document, engine_version=document["engine"], finished_at=timezone.now()
    )
    return done == 1


def signature_record(*, system: str, seeds: int) -> SignatureRun:
    """Run a signature here and now. ValueError where the system has none."""
    document = _found(system, seeds)
    return SignatureRun.objects.create(
        system=system,
        engine_version=document["engine"],
        seeds=seeds,
        document=document,
        finished_at=timezone.now(),
    )


def _found(system: str, seeds: int) -> dict[str, Any]:
    from simulation.signatures import run_signature  # the engine is loaded by workers only, not by web pages

    return run_signature(system_for(system), range(seeds)).document()
