"""The Celery application: a doorbell for the queue in the database, nothing more."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.config.settings")

app = Celery("headroom")
app.config_from_object("planner.config.queue")
app.autodiscover_tasks(["planner.studies"])


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
    from planner.studies.runs.presence import Presence

    app.presence = Presence(os.environ["HEADROOM_WORKER"], Process.Kind.WORKER, slots=sender.controller.concurrency)
    app.presence.start()


@signals.worker_shutdown.connect
def _leave(**_: Any) -> None:
    """The children have ended: what one of them still held goes back to the queue at once."""
    from planner.studies.runs.claim import runs_release_of

    runs_release_of(os.environ["HEADROOM_WORKER"])
    if presence := getattr(app, "presence", None):
        presence.stop()
