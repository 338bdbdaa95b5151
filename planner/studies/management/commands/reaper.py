"""Sweeps the queue for ever. Any number may run at once."""

from __future__ import annotations

import logging
import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection

from planner.studies.models import Process
from planner.studies.runs.presence import Presence, process_name
from planner.studies.runs.reaper import runs_reap

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one sweep, then end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            self.stdout.write(str(runs_reap()))
            return
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ended.set())
        presence = Presence(process_name("reaper"), Process.Kind.REAPER)
        presence.start()
        while not ended.is_set():
            _sweep()
            ended.wait(settings.RUN_REAP_EVERY_S)
        presence.stop()


def _sweep() -> None:
    try:
        runs_reap()
    except DatabaseError:
        log.exception("sweep failed; the next one is tried as usual")
        connection.close_if_unusable_or_obsolete()
