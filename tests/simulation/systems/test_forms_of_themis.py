"""The auction, the ordering in rounds and the allocation program are three forms of one aim, and all serve it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.apps import short_and_long
from simulation.metrics.fairness_measures import LARGEST_RHO
from simulation.run import run_records
from simulation.scenario import Choice

FORMS: dict[str, dict[str, Any]] = {
    "auction": {},
    "rounds": {
        "sizing": "fixed-gang", "ordering": "finish-time-ratio", "walk": "fit-first", "preemption": "rounds",
        "tenancy": "none",
    },
    "program": {"sizing": "allocation-program", "sizing.objective": "finish-time", "sizing.renew_s": 600.0},
}  # fmt: skip
SEEDS = range(3)


def largest_rho(system: str, parameters: dict[str, Any]) -> float:
    found = []
    for seed in SEEDS:
        drawn = short_and_long(np.random.default_rng(seed), load=1.0, jobs=50, elastic=True)
        chosen = {"training": Choice(system=system, parameters=parameters)}
        found.append(LARGEST_RHO.of(run_records(drawn.model_copy(update=chosen), seed)))
    return float(np.mean(found))


@pytest.mark.parametrize("form", FORMS)
def test_the_largest_ratio_is_far_below_that_of_first_come_first_served(form: str) -> None:
    assert largest_rho("themis", FORMS[form]) < 0.6 * largest_rho("fcfs-quota", {})
