"""Workers without Celery: they take runs straight from the database. For installations where no broker can run."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connections

from planner.studies.models import Process
from planner.studies.runs.execution import run_execute_next
from planner.studies.runs.presence import Presence, getting_ready, process_name, slot_name
from planner.studies.runs.warmup import engine_warm

_IDLE_S = 1.0


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slots", type=int, default=1, help="runs at once, each in a process of its own")
        parser.add_argument("--drain", action="store_true", help="end when no run waits")

    def handle(self, *args: Any, **options: Any) -> None:
        worker = process_name("worker")
        with getting_ready(worker):
            engine_warm()
        connections.close_all()  # what a child inherits must not be shared
        fork = multiprocessing.get_context("fork")
        children = [fork.Process(target=_take_runs, args=(worker, options["drain"])) for _ in range(options["slots"])]
        for child in children:
            child.start()
        # SystemExit in mid-run hands the run back before a child ends.
        signal.signal(signal.SIGTERM, lambda *_: [child.terminate() for child in children])
        presence = Presence(worker, Process.Kind.WORKER, options["slots"])
        presence.start()
        killed = _wait_for(children)
        presence.stop()
        if killed:
            sys.exit(1)  # whoever watches this process starts it again


def _wait_for(children: list[BaseProcess]) -> bool:
    """Until all have ended; when one was killed, the others are told to end too."""
    left = {child.sentinel: child for child in children}
    killed = False
    while left:
        for sentinel in wait(list(left)):
            if left.pop(sentinel).exitcode and not killed:
                killed = True
                for other in left.values():
                    other.terminate()
    return killed


def _take_runs(worker: str, drain: bool) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
    idle = threading.Event()
    while True:
        if run_execute_next(slot_name(worker)):
            continue
        if drain:
            return
        idle.wait(_IDLE_S)
