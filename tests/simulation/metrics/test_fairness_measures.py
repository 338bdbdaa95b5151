"""Numbers of fairness that experiments compare are those of the result document, or plain sums over its jobs."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.metrics.fairness_measures import LARGEST_RHO, RHO_SPREAD, WORST_SLOWDOWN
from simulation.metrics.solving_measures import SOLVE_TIME
from simulation.run import run_records, simulate
from tests.simulation.building import pool, random_jobs, table, training


def test_the_largest_ratio_is_that_of_the_document() -> None:
    outcome = simulate(training(random_jobs(4), "fcfs-quota", [pool(2, 8)]))
    assert LARGEST_RHO.of(outcome.records) == outcome.document["metrics"]["rho_max"]["value"]


def test_the_spread_and_the_worst_tenth_by_hand() -> None:
    """One GPU, eleven jobs of 100 s at once: the nth ends after n x 100 s; the last two count."""
    records = run_records(training(table(*[(0, 100, 1)] * 11), "fcfs-quota", [pool(1, 1)]))
    assert WORST_SLOWDOWN.of(records) == pytest.approx(10.5)
    assert RHO_SPREAD.of(records) > 0


def test_without_finished_jobs_nothing_is_known() -> None:
    records = run_records(training(table(), "fcfs-quota"))
    assert np.isnan([LARGEST_RHO.of(records), RHO_SPREAD.of(records), WORST_SLOWDOWN.of(records)]).all()
    assert SOLVE_TIME.of(records) == 0.0
