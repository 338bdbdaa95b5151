"""Leases by auction in whole runs: who is worst off is served first, leases end, what is left finds takers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from simulation.generators.apps import short_and_long
from simulation.metrics.fairness_measures import LARGEST_RHO, RHO_SPREAD
from simulation.metrics.measures import PREEMPTIONS
from simulation.records import JobRecords, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice
from tests.simulation.building import pool, random_jobs, table, training

LEASE_S = 600.0
SEEDS = range(4)


def auctioned(*jobs: tuple[float, float, int], gpus: int = 8, sizing: dict[str, Any] | None = None) -> JobRecords:
    changes = {f"sizing.{name}": value for name, value in (sizing or {"payment": False}).items()}
    return run_records(training(table(*jobs), "themis", [pool(1, gpus)], changes)).jobs


def test_leases_end_for_the_sake_of_who_waits() -> None:
    """The second job, twice behind its fair finish, has the GPUs as soon as the first one's lease is over."""
    jobs = auctioned((0, 7200, 8), (10, 1200, 8))
    assert jobs.first_start_s[1] == LEASE_S
    assert jobs.preemptions[0] >= 1


def test_while_nobody_wants_anything_a_lease_goes_on() -> None:
    jobs = auctioned((0, 7200, 8))
    assert (jobs.end_s[0], jobs.preemptions[0]) == (7200.0, 0)


def test_who_wins_its_own_gpus_again_notices_nothing() -> None:
    """A third job wants GPUs at every end of a lease, but there is room for it only when one of the two has ended."""
    jobs = auctioned((0, 3000, 4), (0, 3000, 4), (0, 1, 8), sizing={"payment": False, "fairness": 0.0})
    assert jobs.migrations.tolist() == [0, 0, 0]
    jobs = auctioned((0, 3000, 4), (0, 3000, 4), (2990, 3000, 4))
    assert jobs.preemptions.tolist() == [0, 0, 0]


@pytest.mark.parametrize("payment", [True, False])
@pytest.mark.parametrize("elastic", [True, False])
def test_every_job_ends_whoever_pays(payment: bool, elastic: bool) -> None:
    jobs = random_jobs(7, 40, widest=8)
    if elastic:
        jobs = jobs.model_copy(update={"gpus_min": [1] * 40})
    records = run_records(training(jobs, "themis", [pool(3, 8)], {"sizing.payment": payment}), 3)
    assert np.isfinite(records.jobs.end_s).all()
    assert records.decisions.get("plans_refused", 0) == 0
    again = run_records(training(jobs, "themis", [pool(3, 8)], {"sizing.payment": payment}), 3)
    assert (again.jobs.end_s == records.jobs.end_s).all()


def test_a_job_that_may_not_be_preempted_keeps_its_lease() -> None:
    jobs = table((0, 7200, 8), (10, 1200, 8), preemptible=[False, True])
    found = run_records(training(jobs, "themis")).jobs
    assert found.end_s.tolist() == [7200.0, 8400.0]


def contended(system: str, seed: int, **sizing: Any) -> RunRecords:
    scenario = short_and_long(np.random.default_rng(seed), load=1.0, jobs=50, elastic=True)
    changes = {f"sizing.{name}": value for name, value in sizing.items()}
    return run_records(scenario.model_copy(update={"training": Choice(system=system, parameters=changes)}), seed)


def mean(measure: Any, run: Any) -> float:
    return float(np.mean([measure.of(run(seed)) for seed in SEEDS]))


@pytest.mark.parametrize("system", ["tiresias", "fcfs-quota"])
def test_the_largest_ratio_and_its_spread_are_lower_than_without(system: str) -> None:
    for measure in (LARGEST_RHO, RHO_SPREAD):
        assert mean(measure, partial(contended, "themis")) < mean(measure, partial(contended, system))


def test_shorter_leases_are_fairer_and_preempt_more() -> None:
    short, long = (partial(contended, "themis", lease_s=lease_s) for lease_s in (300.0, 3600.0))
    assert mean(LARGEST_RHO, short) < mean(LARGEST_RHO, long)
    assert mean(PREEMPTIONS, short) > mean(PREEMPTIONS, long)


def test_the_more_may_bid_the_larger_the_largest_ratio() -> None:
    strict, loose = (partial(contended, "themis", fairness=f) for f in (0.95, 0.0))
    assert mean(LARGEST_RHO, strict) < mean(LARGEST_RHO, loose)
