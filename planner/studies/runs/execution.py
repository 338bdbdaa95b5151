"""What a worker does with a run: claim it, simulate, and end it in exactly one way."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

from django.conf import settings

from planner.studies.models import Run
from planner.studies.runs.claim import Claim, run_claim, run_claim_next, run_release
from planner.studies.runs.failure import overtime_reason, reason_of
from planner.studies.runs.finish import run_fail, run_finish, run_stopped
from planner.studies.runs.memory import memory_ceiling
from planner.studies.runs.pulse import Pulse, Stop

log = logging.getLogger(__name__)


def run_execute(run_id: UUID, worker: str) -> bool:
    """Work on this run, if it may be claimed. Returns whether it was."""
    claim = run_claim(run_id, worker)
    if claim is not None:
        _work(claim)
    return claim is not None


def run_execute_next(worker: str) -> bool:
    """Work on the run that has waited longest, if there is one. Returns whether there was."""
    claim = run_claim_next(worker)
    if claim is not None:
        _work(claim)
    return claim is not None


def simulated(claim: Claim, pulse: Pulse) -> dict[str, Any]:
    """The result document of the claimed run; raises simulation.run.Cancelled once `pulse` asks to stop."""
    from planner.studies.assembly import scenario_build  # the engine is loaded by workers only, not by web pages
    from simulation.run import simulate

    run = Run.objects.select_related("scenario__study__workspace").get(pk=claim.run_id)
    scenario = scenario_build(run.scenario)
    return simulate(scenario, claim.seed, progress=pulse.report, cancelled=pulse.stop_asked).document


def _work(claim: Claim) -> None:
    try:
        with Pulse(claim) as pulse, memory_ceiling(settings.RUN_MEMORY_LIMIT_BYTES):
            document = simulated(claim, pulse)
    except Exception as error:  # whatever an engine raises ends this run and no other
        _end_without_result(claim, pulse.why, error)
    except BaseException:  # the worker is told to stop
        run_release(claim)
        raise
    else:
        if not run_finish(claim, document, pulse.elapsed_s) and not run_stopped(claim):
            _end_without_result(claim, Stop.LOST, None)


def _end_without_result(claim: Claim, why: Stop | None, error: Exception | None) -> None:
    if why is Stop.CANCELLED:
        run_stopped(claim)
    elif why is Stop.OVERTIME:
        run_fail(claim, overtime_reason())
    elif why is Stop.LOST:
        log.warning("run %s was taken over; its late end is dropped", claim.run_id)
    elif error is not None:
        log.error("run %s failed", claim.run_id, exc_info=error)
        run_fail(claim, reason_of(error))
