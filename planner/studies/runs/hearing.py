"""A worker's watch over its own ear: one that no longer hears the bell ends, and whoever watches it starts it anew.

After an outage of the broker a Celery consumer may live on and take no message ever again. Nothing is lost by that,
as runs wait in the database, but nothing is done either.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection

from planner.studies.runs.claim import runs_held_by
from planner.studies.runs.doorbell import messages_waiting
from planner.studies.runs.presence import process_gone

log = logging.getLogger(__name__)

_LOOKS = 6  # in the time after which a worker counts as deaf


class Hearing:
    """A thread that calls `end` once messages have waited for RUN_STALL_S while this worker neither took one nor
    works on a run, though database and broker answer all the time."""

    def __init__(self, worker: str, end: Callable[[], None]) -> None:
        self._worker, self._end = worker, end
        self._well_at = time.monotonic()  # when it was last known to hear, or had no reason to
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="hearing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def heard(self) -> None:
        """A message has come."""
        self._well_at = time.monotonic()

    def deaf(self) -> bool:
        """Look once. A broker or database that does not answer is no fault of the ear."""
        if not (messages_waiting() and self._idle()):
            self.heard()
        return time.monotonic() - self._well_at > settings.RUN_STALL_S

    def _idle(self) -> bool:
        try:
            return not runs_held_by(self._worker).exists()
        except DatabaseError:
            connection.close_if_unusable_or_obsolete()
            return False

    def _loop(self) -> None:
        try:
            while not self._ended.wait(settings.RUN_STALL_S / _LOOKS):
                if self.deaf():
                    self._end()
                    return
        finally:
            connection.close()


def worker_end(worker: str) -> None:
    """End this process and its idle children at once: a consumer that hangs may not answer to anything gentler."""
    log.error("messages wait and none has come for %g s: the worker ends, to be started again", settings.RUN_STALL_S)
    try:
        process_gone(worker)
    finally:
        os._exit(os.EX_TEMPFAIL)
