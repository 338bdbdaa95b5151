"""A controller of node power beside any scheduler: less energy, and jobs hardly wait for boots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.jobs import DAY_S, JobMix, at_load, synthetic_jobs
from simulation.metrics.measures import ENERGY, MEAN_WAIT
from simulation.records import Absence, RunRecords
from simulation.run import run_records
from simulation.scenario import JobTable
from tests.simulation.building import pool, table, training

STEP_S = 600.0
FEW = {"power": "switch-idle-nodes", "power.buffer": 1, "power.keep": 3, "power.history": 3, "power.future": 6}


def records_of(jobs: JobTable, **parameters: Any) -> RunRecords:
    nodes = pool(10, 8, idle_w=60.0, peak_w=300.0, node_overhead_w=400.0, boot_s=300.0, off_w=10.0)
    return run_records(training(jobs, "fcfs-quota", [nodes], {"walk": "fit-first"} | parameters))


def swinging(seed: int, swing: float = 0.9) -> JobTable:
    """Four days of short jobs whose number swings within the day."""
    mix = JobMix(jobs_per_day=300, days=4, gangs={1: 0.5, 8: 0.5}, median_s=1500.0, mean_s=1800.0, day_swing=swing)
    return at_load(synthetic_jobs(mix, np.random.default_rng(seed)), 0.35, 80, 4 * DAY_S)


@pytest.mark.parametrize("seed", range(3))
def test_energy_falls_and_jobs_hardly_wait(seed: int) -> None:
    jobs = swinging(seed)
    always, switched = records_of(jobs), records_of(jobs, **FEW)
    assert ENERGY.of(switched) < 0.9 * ENERGY.of(always)
    assert MEAN_WAIT.of(switched) < MEAN_WAIT.of(always) + 300.0


def test_a_buffer_and_a_forecast_save_boots() -> None:
    """Against switching off whatever is idle at each step."""
    jobs = swinging(7)
    hasty = FEW | {
        "power.buffer": 0,
        "power.keep": 0,
        "power.history": 1,
        "power.past_fall": 0.0,
        "power.future_fall": 0.0,
    }
    assert records_of(jobs, **FEW).decisions["boots"] < 0.7 * records_of(jobs, **hasty).decisions["boots"]


def test_nodes_go_off_at_steps_as_far_as_nobody_needs_them() -> None:
    """All ten work for an hour, then one for three hours."""
    jobs = table(*((0.0, 3600.0, 8) for _ in range(9)), (0.0, 14_400.0, 8))
    absences = records_of(jobs, **FEW).absences
    assert absences is not None
    off = (absences.why == Absence.OFF) & (absences.end_s > absences.start_s)
    assert (absences.start_s[off] % STEP_S == 0).all()
    assert sorted(absences.node[off].tolist()) == list(range(1, 9))  # the job on the last one, and one spare, stay
    assert absences.start_s[off].min() == 3600.0


def test_a_job_that_finds_too_few_nodes_waits_for_a_step_and_a_boot() -> None:
    jobs = table(*((0.0, 3600.0, 8) for _ in range(9)), (0.0, 40_000.0, 8), (20_100.0, 600.0, 24))
    records = records_of(jobs, **FEW)
    assert records.jobs.first_start_s[10] == 20_400.0 + 300.0
