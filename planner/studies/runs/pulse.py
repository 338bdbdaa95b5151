"""The thread beside a running simulation: keeps its lease, reports its progress, hears when it shall stop."""

from __future__ import annotations

import logging
import threading
import time
from enum import StrEnum
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import DatabaseError, connection

from planner.studies.runs.claim import Claim, held, run_heartbeat

log = logging.getLogger(__name__)


class Stop(StrEnum):
    """Why a simulation shall stop before its end."""

    CANCELLED = "cancelled"
    LOST = "lost"  # someone else holds the run now
    OVERTIME = "overtime"


class Pulse:
    """Beats while the `with` block runs. The engine asks `stop_asked` and tells `report`."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.why: Stop | None = None
        self._progress = 0.0
        self._ended = threading.Event()
        self._started = time.monotonic()
        self._next_beat = self._started + settings.RUN_HEARTBEAT_S
        self._thread = threading.Thread(target=self._loop, name=f"pulse-{claim.run_id}", daemon=True)

    def report(self, fraction: float) -> None:
        self._progress = fraction

    def stop_asked(self) -> bool:
        return self.why is not None

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self._started

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _loop(self) -> None:
        try:
            while not self.stop_asked() and not self._ended.wait(settings.RUN_CANCEL_CHECK_S):
                self._tick()
        finally:
            connection.close()  # the thread's own

    def _tick(self) -> None:
        """Look for a cancellation at every tick, extend the lease at every heartbeat.

        Past the time limit it does neither: an engine that does not hear then loses its lease.
        """
        try:
            if self.elapsed_s > settings.RUN_TIME_LIMIT_S:
                self.why = Stop.OVERTIME
            elif (cancel := held(self.claim).values_list("cancel_requested", flat=True).first()) is None:
                self.why = Stop.LOST
            elif cancel:
                self.why = Stop.CANCELLED
            elif time.monotonic() >= self._next_beat:
                self._beat()
        except DatabaseError as error:  # busy or away: the lease is long enough for another try
            log.warning("run %s: no heartbeat (%s)", self.claim.run_id, type(error).__name__)
            connection.close_if_unusable_or_obsolete()

    def _beat(self) -> None:
        self._next_beat = time.monotonic() + settings.RUN_HEARTBEAT_S
        if not run_heartbeat(self.claim, self._progress):
            self.why = Stop.LOST
