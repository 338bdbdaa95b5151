"""A worker without Celery: takes runs straight from the database. For installations where no broker can run."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.studies.models import Process
from planner.studies.runs.execution import run_execute_next
from planner.studies.runs.presence import Presence, process_name, slot_name

_IDLE_S = 1.0


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--drain", action="store_true", help="end when no run waits")

    def handle(self, *args: Any, **options: Any) -> None:
        worker = process_name("worker")
        idle = threading.Event()
        # SystemExit in mid-run hands the run back before the process ends.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        presence = Presence(worker, Process.Kind.WORKER)
        presence.start()
        try:
            while True:
                if run_execute_next(slot_name(worker)):
                    continue
                if options["drain"]:
                    return
                idle.wait(_IDLE_S)
        finally:
            presence.stop()
