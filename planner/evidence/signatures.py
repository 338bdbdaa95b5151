"""The signature of a system: a small experiment in which its deciding mechanism must show, and its ablation."""

from __future__ import annotations

from django.db.models import QuerySet

from planner.evidence.models import SignatureRun
from simulation import ENGINE_VERSION


def signature_of(system: str) -> SignatureRun | None:
    """The latest finished signature of a system, by this engine."""
    return _of(system).filter(finished_at__isnull=False).order_by("-finished_at").first()


def signature_asked(system: str) -> SignatureRun | None:
    """The signature that a worker has yet to run."""
    return _of(system).filter(finished_at=None).first()


def _of(system: str) -> QuerySet[SignatureRun]:
    return SignatureRun.objects.filter(system=system, engine_version=ENGINE_VERSION)
