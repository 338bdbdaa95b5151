"""The Celery application: a doorbell for the queue in the database, nothing more."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.config.settings")

app = Celery("headroom")
app.config_from_object("planner.config.queue")
app.autodiscover_tasks(["planner.studies", "planner.evidence"])


@signals.celeryd_init.connect
def _name_worker(conf: Any, **_: Any) -> None:
    """Before the children fork, so that they carry the name too."""
    from planner.studies.runs.presence import process_name

    os.environ["HEADROOM_WORKER"] = process_name("worker")


@signals.worker_init.connect
def _warm_engine(**_: Any) -> None:
    from planner.studies.runs.presence import getting_ready
    from planner.studies.runs.warmup import engine_warm

    with getting_ready(os.environ["HEADROOM_WORKER"]):
        engine_warm()


@signals.worker_ready.connect
def _appear(sender: Any, **_: Any) -> None:
    from planner.studies.models import Process
    from planner.studies.runs.hearing import Hearing, worker_end
    from planner.studies.runs.presence import Presence

    worker = os.environ["HEADROOM_WORKER"]
    app.presence = Presence(worker, Process.Kind.WORKER, slots=sender.controller.concurrency)
    app.hearing = Hearing(worker, end=partial(worker_end, worker))
    app.presence.start()
    app.hearing.start()


@signals.task_received.connect
def _hear(**_: Any) -> None:
    app.hearing.heard()


@signals.worker_shutdown.connect
def _leave(**_: Any) -> None:
    """The children have ended: what one of them still held goes back to the queue at once."""
    from planner.studies.runs.claim import runs_release_of

    runs_release_of(os.environ["HEADROOM_WORKER"])
    for watch in (getattr(app, "hearing", None), getattr(app, "presence", None)):
        if watch:
            watch.stop()
