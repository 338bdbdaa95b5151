"""No policy does better than one who knows everything and has one fast machine; and on one machine that is srtf."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from simulation.records import JobOutcome
from simulation.run import run_records
from simulation.scenario import JobTable, Overheads, Scenario, Workload
from simulation.systems.registry import SYSTEMS
from tests.simulation.building import pool, random_jobs, training
from tests.simulation.properties.drawing import TRAINING, drawn


def least_total_flow_s(arrival_s: np.ndarray, work_s: np.ndarray) -> float:
    """Sum of completion - arrival on one machine that always works on whatever has least left (SRPT)."""
    order = np.argsort(arrival_s, kind="stable")
    queue: list[float] = []
    now_s, total_s, following = 0.0, 0.0, 0
    while queue or following < len(order):
        if not queue:
            now_s = max(now_s, float(arrival_s[order[following]]))
        while following < len(order) and arrival_s[order[following]] <= now_s:
            heapq.heappush(queue, float(work_s[order[following]]))
            following += 1
        until_s = float(arrival_s[order[following]]) if following < len(order) else np.inf
        left_s = heapq.heappop(queue)
        spent_s = min(left_s, until_s - now_s)
        total_s += spent_s * (len(queue) + 1)
        now_s += spent_s
        if left_s > spent_s:
            heapq.heappush(queue, left_s - spent_s)
    return total_s


def relaxed(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Arrivals, and work in seconds of one machine as fast as all GPUs of the cluster together."""
    jobs = scenario.workload.jobs
    assert jobs is not None
    law = SYSTEMS[scenario.training.system].recipe.sharing
    most = law.law.most if law else 1  # who shares a GPU may use what the other leaves: at best all of it again
    speed = most * sum(p.gpus * p.speed for p in scenario.cluster.pools)
    return np.array(jobs.submit_s), np.array(jobs.gpus) * np.array(jobs.duration_s) / speed


@pytest.mark.parametrize("system", TRAINING)
def test_no_policy_beats_the_relaxation(system: str) -> None:
    """Sum of completion times >= that of SRPT on one machine with the summed speed of all GPUs.

    Whatever a policy does, work proceeds at no more than the summed speed of the GPUs held. The fast machine can do to
    each job just what the policy did to it in the same interval, by turns within it, so it has a preemptive schedule
    with the same completions; and of all preemptive schedules on one machine SRPT has the least sum. It holds for jobs
    that scale at most linearly, so here for those without a profile. Each job alone takes at least its isolated time.
    """
    for seed in range(4):
        scenario = drawn(seed, system, horizon_s=None)
        assert scenario.workload.jobs is not None
        plain = scenario.workload.jobs.model_copy(update={"profile": None, "fate": None, "loss": None})
        scenario = scenario.model_copy(update={"workload": Workload(jobs=plain)})
        jobs = run_records(scenario).jobs
        done = jobs.outcome == JobOutcome.FINISHED
        arrival_s, work_s = (column[done] for column in relaxed(scenario))
        flow_s = jobs.end_s[done] - jobs.submit_s[done]
        assert flow_s.sum() >= least_total_flow_s(arrival_s, work_s) * (1 - 1e-9)
        assert flow_s.sum() > 0


def one_machine(seed: int) -> JobTable:
    return random_jobs(seed, 40, widest=1, gap_s=300.0)


def test_shortest_remaining_time_first_is_the_optimum_on_one_machine() -> None:
    for seed in range(5):
        jobs = one_machine(seed)
        records = run_records(training(jobs, "srtf", [pool(1, 1)]))
        best_s = least_total_flow_s(np.array(jobs.submit_s), np.array(jobs.duration_s))
        assert (records.jobs.end_s - records.jobs.submit_s).sum() == pytest.approx(best_s, rel=1e-12)


@pytest.mark.parametrize("system", [s for s in TRAINING if SYSTEMS[s].recipe.sharing is None])
def test_and_nobody_is_better_there(system: str) -> None:
    jobs = one_machine(1)
    best_s = least_total_flow_s(np.array(jobs.submit_s), np.array(jobs.duration_s))
    found = run_records(training(jobs, system, [pool(1, 1)], overheads=Overheads())).jobs
    done = found.outcome == JobOutcome.FINISHED
    if done.all():
        assert (found.end_s - found.submit_s).sum() >= best_s * (1 - 1e-12)
    else:
        assert (found.outcome[~done] == JobOutcome.REJECTED).all()


def test_the_bound_itself_by_hand() -> None:
    """Work 4 at 0, 1 at 1: the short one goes first, 1 + (4 + 1)."""
    assert least_total_flow_s(np.array([0.0, 1.0]), np.array([4.0, 1.0])) == 1.0 + 5.0
    assert least_total_flow_s(np.array([0.0, 10.0]), np.array([4.0, 1.0])) == 5.0
