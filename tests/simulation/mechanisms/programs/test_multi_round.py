"""Plans for many rounds in whole runs: everyone ends, long jobs in time for a short makespan, nothing is left idle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.hardware import Interruptions
from simulation.metrics.measures import MAKESPAN
from simulation.records import JobRecords, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, JobTable, Overheads
from tests.simulation.building import pool, table, training
from tests.simulation.engine.test_fused_equals_general import with_service
from tests.simulation.mechanisms.programs.growing import growing_batches
from tests.simulation.systems.test_programs import bits, elastic_jobs

ROUND_S = 120.0
BREAKS = Interruptions(mean_up_s=4000.0, mean_down_s=600.0)


def plan(**sizing: Any) -> dict[str, Any]:
    return {"sizing": "multi-round-plan"} | {f"sizing.{name}": value for name, value in sizing.items()}


def planned(jobs: JobTable, gpus: int = 8, **sizing: Any) -> JobRecords:
    return run_records(training(jobs, "gavel", [pool(1, gpus)], plan(**sizing))).jobs


def test_jobs_for_which_there_is_room_are_never_disturbed() -> None:
    jobs = planned(table((0, 5000, 4), (0, 9000, 4)))
    assert jobs.end_s.tolist() == [5000.0, 9000.0]
    assert not jobs.preemptions.any()


def test_who_comes_waits_for_the_next_round() -> None:
    jobs = planned(table((0, 5000, 4), (10, 100, 4)))
    assert jobs.first_start_s.tolist() == [0.0, ROUND_S]


def test_gpus_that_a_plan_leaves_idle_are_used() -> None:
    """A gang of 5 and one of 4 take turns; the jobs of one and three GPUs always fit beside one of them."""
    jobs = planned(table((0, 6000, 5), (0, 6000, 4), (0, 6000, 3), (0, 6000, 1)))
    assert jobs.end_s.max() <= 12_000 + 3 * ROUND_S
    assert jobs.end_s[3] <= 6000 + 20 * ROUND_S


def test_equal_jobs_too_many_for_the_gpus_take_turns_and_end_together() -> None:
    jobs = planned(table(*[(0, 3600, 8)] * 3))
    assert jobs.preemptions.sum() > 2
    assert jobs.end_s.max() == pytest.approx(3 * 3600, abs=2 * ROUND_S)
    assert jobs.end_s.min() > 2 * 3600


def test_a_dear_makespan_puts_the_longest_job_first() -> None:
    jobs = table((0, 1200, 8), (0, 1200, 8), (0, 9600, 8))
    first = {price: planned(jobs, makespan=price).end_s.argmin() for price in (0.0, 100.0)}
    assert first[0.0] in (0, 1)
    assert planned(jobs, makespan=100.0).first_start_s[2] == 0.0


def makespan_s(seed: int, parameters: dict[str, Any]) -> float:
    drawn = growing_batches(seed, jobs=12, load=3.0, nodes=1)
    choice = Choice(system="gavel", parameters={"sizing.round_s": 360.0} | parameters)
    return MAKESPAN.of(run_records(drawn.model_copy(update={"training": choice}), seed))


def test_a_price_for_time_left_makes_the_makespan_shorter_and_shorter_than_that_of_fair_shares() -> None:
    cases = (plan(round_s=360.0, rounds=7), plan(round_s=360.0, rounds=7, makespan=0.0), {"sizing.renew_s": 360.0})
    found = np.array([[makespan_s(seed, case) for case in cases] for seed in range(2)])
    dear, free, shares = found.mean(axis=0)
    assert dear < free
    assert dear < 0.97 * shares


def over_two_kinds(seed: int, **changes: Any) -> RunRecords:
    pools = [pool(2, 8, **changes), pool(2, 4, name="b", gpu_model="A100", speed=2.0)]
    return run_records(
        training(elastic_jobs(seed), "gavel", pools, plan(), overheads=Overheads(checkpoint_interval_s=300.0))
    )


@pytest.mark.parametrize("seed", range(2))
def test_every_job_ends_also_with_nodes_that_come_and_go_and_in_the_same_bits_again(seed: int) -> None:
    steady, lively = over_two_kinds(seed), over_two_kinds(seed, interruptions=BREAKS)
    for records in (steady, lively):
        assert np.isfinite(records.jobs.end_s).all()
        assert records.decisions.get("plans_refused", 0) == 0
    assert bits(over_two_kinds(seed)) == bits(steady)


def test_it_lives_beside_services_and_jobs_that_may_not_be_preempted() -> None:
    scenario = with_service(training(elastic_jobs(9, preemptible=[False, True] * 20), "gavel", [pool(3, 8)], plan()))
    jobs = run_records(scenario).jobs
    assert np.isfinite(jobs.end_s).all()
    assert not jobs.preemptions[::2].any()
