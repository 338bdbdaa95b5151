"""Signs of life of workers and reapers. Health pages read them; no lease depends on them."""

from __future__ import annotations

import logging
import os
import secrets
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, ExpressionWrapper, Q, QuerySet, Sum
from django.db.models.functions import Now

from planner.studies.models import Process
from planner.studies.runs.database_time import from_now

log = logging.getLogger(__name__)

_MISSED_BEATS = 4  # this many heartbeats without a sign: taken for gone
_FORGET_AFTER_S = 24 * 3600.0


def process_name(kind: str) -> str:
    """A name for this process and its children that says nothing about the machine."""
    return f"{kind}-{secrets.token_hex(3)}"


def slot_name(worker: str) -> str:
    """The name of one child of a worker, as it stands in the runs that it claims."""
    return f"{worker}/{os.getpid()}"


def processes_alive(kind: Process.Kind) -> QuerySet[Process]:
    return Process.objects.filter(kind=kind, last_seen__gt=_still_alive())


def process_names() -> frozenset[str]:
    """Of all that gave a sign of life lately, whether or not they are still there."""
    return frozenset(Process.objects.values_list("name", flat=True))


def worker_other_than(known: Collection[str]) -> bool:
    """Whether a worker is ready whose name is not `known`."""
    return processes_alive(Process.Kind.WORKER).exclude(name__in=known).exists()


def _still_alive() -> ExpressionWrapper:
    return from_now(-_MISSED_BEATS * settings.RUN_HEARTBEAT_S)


@dataclass(frozen=True, slots=True)
class Workforce:
    """Workers that live, the runs that they do at once, and those that are not ready yet."""

    workers: int
    slots: int
    starting: int

    @property
    def missing(self) -> str:
        """Why no run is taken now, as a sentence; "" where a worker is ready."""
        if self.workers:
            return ""
        return GETTING_READY if self.starting else NONE_SEEN


GETTING_READY = "Workers are getting ready: the engine is compiled on the first start, which takes about a minute."
NONE_SEEN = "No worker has given a sign of life lately."


def workforce() -> Workforce:
    ready, starting = Q(kind=Process.Kind.WORKER), Q(kind=Process.Kind.STARTING)
    seen = Process.objects.filter(last_seen__gt=_still_alive()).aggregate(
        workers=Count("pk", filter=ready),
        slots=Sum("slots", filter=ready, default=0),
        starting=Count("pk", filter=starting),
    )
    return Workforce(**seen)


def process_seen(name: str, kind: Process.Kind, slots: int = 1) -> None:
    if not Process.objects.filter(pk=name).update(last_seen=Now(), kind=kind, slots=slots):
        Process.objects.create(name=name, kind=kind, slots=slots, started_at=Now(), last_seen=Now())
        Process.objects.filter(last_seen__lt=from_now(-_FORGET_AFTER_S)).delete()


def process_gone(name: str) -> None:
    Process.objects.filter(pk=name).delete()


class Presence:
    """A thread that says every heartbeat that this process lives."""

    def __init__(self, name: str, kind: Process.Kind, slots: int = 1) -> None:
        self._seen = (name, kind, slots)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="presence", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.hush()
        process_gone(self._seen[0])

    def hush(self) -> None:
        """Say no more, and leave what was said: it is forgotten after some missed beats."""
        self._ended.set()
        self._thread.join()

    def _loop(self) -> None:
        try:
            while True:
                self._say()
                if self._ended.wait(settings.RUN_HEARTBEAT_S):
                    return
        finally:
            connection.close()

    def _say(self) -> None:
        try:
            process_seen(*self._seen)
        except DatabaseError as error:  # busy or away: the next beat tells
            log.warning("no sign of life given (%s)", type(error).__name__)
            connection.close_if_unusable_or_obsolete()


@contextmanager
def getting_ready(worker: str) -> Iterator[None]:
    """While a worker prepares, it is known as one that will be there. Leaves no thread and no connection behind.

    Its row stays until `worker` appears under the same name, so that there is no moment without either.
    """
    presence = Presence(worker, Process.Kind.STARTING)
    presence.start()
    try:
        yield
    finally:
        presence.hush()
