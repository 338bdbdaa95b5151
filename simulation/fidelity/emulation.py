"""Run a case: the engine's loop under a profile's settings, its books checked as in every run."""

from __future__ import annotations

import time

import numpy as np

from simulation.engine.books import balance
from simulation.engine.errors import EngineError
from simulation.engine.recording import records_of
from simulation.fidelity.comparison import compare
from simulation.fidelity.discovery import Case
from simulation.fidelity.profiles.profile import Emulation
from simulation.fidelity.results import Results, read_results, results_of, without_outcome
from simulation.fidelity.rows import Row
from simulation.mechanisms.scaling import StaticReplicas
from simulation.records import RunRecords
from simulation.world.build import build_world

REPEATS = 2  # the first run of a process loads compiled kernels; the peers' figures are the least of repeats too
LONG_S = 3.0  # of which loading kernels is no part that counts: such a run is not repeated


def rows_of(case: Case) -> list[Row]:
    """The rows of one case; a file that is missing or not understood is a failing row that says so."""
    try:
        theirs = None if case.results is None else read_results(case.results)
        ours, cpu_s = timed(case, theirs)
    except (EngineError, ValueError, OSError) as error:
        return [Row(case.name, f"cannot be run: {error}", 1.0, None, unit="run")]
    speedup = None if case.their_cpu_s is None or cpu_s <= 0 else case.their_cpu_s / cpu_s
    if theirs is None:
        ended = float(np.isfinite(ours.end_s).sum())
        return [Row(case.name, "runs: jobs that ended", float(len(ours)), ended, unit="jobs")]
    return compare(case.name, theirs, ours, case.profile.agreement.get(case.policy, case.profile.exactly), speedup)


def timed(case: Case, theirs: Results | None) -> tuple[Results, float]:
    """Our results, and the least CPU seconds from the files of the trace to the records."""
    least_s = np.inf
    told = None if theirs is None else without_outcome(theirs)
    for _ in range(REPEATS):
        begun_s = time.process_time()
        parts = [emulate(part) for part in case.profile.emulate(case.inputs, case.policy, told)]
        least_s = min(least_s, time.process_time() - begun_s)
        if least_s > LONG_S:
            break
    return results_of(parts), least_s


def emulate(emulation: Emulation) -> RunRecords:
    """One run of the engine. Raises EngineError where its books do not balance."""
    world = build_world(emulation.scenario, seed=0)
    loop = emulation.loop(
        world, emulation.scenario.overheads, emulation.policy, emulation.regime,
        np.full(len(world.jobs.tenants), 1.0 / len(world.jobs.tenants)), StaticReplicas(),
    )  # fmt: skip
    loop.run()
    records = records_of(loop)
    balance(records, world.nodes, len(world.jobs))
    return records
