"""Whether this installation can take and work off runs, part by part."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Q
from django.db.models.functions import Now

from planner.studies.models import Process, Run
from planner.studies.runs.database_time import from_now
from planner.studies.runs.doorbell import messages_waiting
from planner.studies.runs.presence import processes_alive, workforce


@dataclass(frozen=True, slots=True)
class Part:
    ok: bool
    says: str = ""  # what is wrong, or what there is to know
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Health:
    parts: dict[str, Part]

    @property
    def ok(self) -> bool:
        return all(part.ok for part in self.parts.values())

    @property
    def problems(self) -> list[str]:
        return [f"{name}: {part.says}" for name, part in self.parts.items() if not part.ok]

    def document(self) -> dict[str, Any]:
        """As JSON: the verdict, then one entry a part."""
        parts = {name: asdict(part) for name, part in self.parts.items()}
        flat = {name: {"ok": p["ok"], "says": p["says"], **p["figures"]} for name, p in parts.items()}
        return {"ok": self.ok, "problems": self.problems, **flat}


def health() -> Health:
    """Each part by itself, so that one that is down does not hide the others."""
    parts = {"web": Part(True), "broker": _broker()}
    try:
        parts |= {"database": Part(True), "workers": _workers(), "reaper": _reaper(), "queue": _queue()}
    except DatabaseError as error:
        parts["database"] = Part(False, f"does not answer ({type(error).__name__})")
        unknown = Part(False, "unknown while the database is away")
        parts |= {"workers": unknown, "reaper": unknown, "queue": unknown}
    return Health(parts)


def _broker() -> Part:
    if not settings.REDIS_URL:
        return Part(True, "not used: workers take runs from the database")
    waiting = messages_waiting()
    if waiting is None:
        return Part(False, "does not answer; runs wait in the database until it is back")
    return Part(True, figures={"messages": waiting})


def _workers() -> Part:
    found = workforce()
    figures = {"count": found.workers, "slots": found.slots, "starting": found.starting}
    return Part(bool(found.workers), found.missing, figures)


def _reaper() -> Part:
    count = processes_alive(Process.Kind.REAPER).count()
    return Part(bool(count), "" if count else "none has been seen lately", {"count": count})


def _queue() -> Part:
    """Stalled: runs wait, nothing runs, and no claim was made for longer than several sweeps."""
    counts = Run.objects.aggregate(
        waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
        running=Count("pk", filter=Q(state=Run.State.RUNNING)),
    )
    stalled = counts["waiting"] and not counts["running"] and _no_claim_since(stall_s())
    return Part(not stalled, "runs wait and no worker takes one" if stalled else "", counts)


def stall_s() -> float:
    """Patience with a queue on which nothing moves: lost messages are rung again well within it."""
    return 2 * (settings.RUN_REQUEUE_AFTER_S + settings.RUN_LEASE_S) + settings.RUN_REAP_EVERY_S


def _no_claim_since(seconds: float) -> bool:
    waits_long = Run.objects.filter(state=Run.State.QUEUED, created_at__lt=from_now(-seconds)).exists()
    claimed = Run.objects.filter(started_at__gt=from_now(-seconds), started_at__lte=Now()).exists()
    return waits_long and not claimed
