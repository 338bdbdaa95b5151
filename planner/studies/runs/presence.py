"""Signs of life of workers and reapers. Health pages read them; no lease depends on them."""

from __future__ import annotations

import logging
import os
import secrets
import threading

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
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
    return Process.objects.filter(kind=kind, last_seen__gt=from_now(-_MISSED_BEATS * settings.RUN_HEARTBEAT_S))


def process_seen(name: str, kind: Process.Kind, slots: int = 1) -> None:
    if not Process.objects.filter(pk=name).update(last_seen=Now()):
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
        self._ended.set()
        self._thread.join()
        process_gone(self._seen[0])

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
