"""The planner's Celery application with an engine that takes its time and keeps a journal.

The simulation is the real one; around it the paced engine waits, as a longer run would, and hears when it shall stop.
Seed POISON kills its own process. Where FAULTS_DEAF names a file that is not there yet, the first worker to start makes
it and stops consuming.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import django
from celery.signals import worker_ready
from django.conf import settings

from planner.config.celery import app

django.setup()

from django.core.management import call_command  # noqa: E402

from planner.studies.runs import execution, warmup  # noqa: E402
from planner.studies.runs.claim import Claim  # noqa: E402
from planner.studies.runs.pulse import Pulse  # noqa: E402

__all__ = ["app"]

POISON = 666_666
_simulated = execution.simulated


def _note(event: str, claim: Claim) -> None:
    line = f"{event} {claim.run_id} {os.getpid()}\n"
    journal = os.open(os.environ["FAULTS_JOURNAL"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(journal, line.encode())  # one write: lines of several processes do not mix
    os.close(journal)


def _paced(claim: Claim, pulse: Pulse) -> dict[str, Any]:
    _note("begin", claim)
    if claim.seed == POISON:
        os.kill(os.getpid(), signal.SIGKILL)
    end = time.monotonic() + float(os.environ.get("FAULTS_PACE_S", "0.2"))
    while time.monotonic() < end:
        if pulse.stop_asked():
            raise RuntimeError("asked to stop")
        time.sleep(0.01)
    document = _simulated(claim, pulse)
    _note("end", claim)
    return document


@worker_ready.connect
def _turn_deaf(sender: Any, **_: Any) -> None:
    mark = os.environ.get("FAULTS_DEAF")
    if mark and not Path(mark).exists():
        Path(mark).touch()
        sender.cancel_task_queue(settings.RUN_QUEUE)


def _warm_what_is_used() -> None:
    """One system, not all of them: workers of these tests start dozens of times."""
    from simulation.run import simulate
    from simulation.scenario import Scenario

    simulate(Scenario.model_validate(warmup.TINY))


execution.simulated = _paced
warmup.engine_warm = _warm_what_is_used

if __name__ == "__main__":
    call_command(*sys.argv[1:])
