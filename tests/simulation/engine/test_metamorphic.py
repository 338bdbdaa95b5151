"""What must change in a known way, or not at all, when a scenario is changed in a known way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from simulation.run import run_records
from simulation.scenario import JobTable, Overheads, Scenario
from tests.simulation.building import TRAINING, pool, random_jobs, table, training


def jct_s(scenario: Scenario) -> np.ndarray:
    records = run_records(scenario)
    return records.jobs.end_s - records.jobs.submit_s


def scaled(jobs: JobTable, factor: float) -> JobTable:
    columns = {"submit_s", "duration_s"}
    return jobs.model_copy(update={c: [factor * v for v in getattr(jobs, c)] for c in columns} | {"estimate_s": None})


@pytest.mark.parametrize("system", [s for s in TRAINING if s not in ("tiresias", "fair-share")])
def test_scaling_all_times_scales_results(system: str) -> None:
    """By a power of two, so that no rounding differs; rules with an own time scale are left out."""
    jobs = scaled(random_jobs(4, widest=8), 1.0)
    assert (jct_s(training(scaled(jobs, 4.0), system)) == 4.0 * jct_s(training(jobs, system))).all()


@pytest.mark.parametrize("system", TRAINING)
def test_twice_as_fast_is_half_as_long_when_nobody_waits(system: str) -> None:
    jobs = random_jobs(4, widest=8)
    many = pool(60, 8)
    slow = jct_s(training(jobs, system, [many]))
    fast = jct_s(training(jobs, system, [many.model_copy(update={"speed": 2.0})]))
    assert fast == pytest.approx(slow / 2)
    assert slow == pytest.approx(np.array(jobs.duration_s))


@pytest.mark.parametrize("system", [s for s in TRAINING if s not in ("fcfs-quota", "helios")])
def test_a_node_that_nobody_may_use_changes_nothing(system: str) -> None:
    jobs = random_jobs(5, widest=8)
    jobs = jobs.model_copy(update={"gpu_models": [["V100"]] * len(jobs)})
    extra = pool(2, 8, name="b", gpu_model="A100", speed=3.0)
    assert (jct_s(training(jobs, system)) == jct_s(training(jobs, system, [pool(), extra]))).all()


@pytest.mark.parametrize("system", TRAINING)
def test_relabelling_tenants_changes_nothing(system: str) -> None:
    """New names in the same order; ties between tenants go by name, which is why the order is kept."""
    jobs = random_jobs(6, widest=8)
    relabelled = jobs.model_copy(update={"tenant": [f"x-{t}" for t in jobs.tenant or []]})
    assert (jct_s(training(jobs, system)) == jct_s(training(relabelled, system))).all()


@pytest.mark.parametrize("system", TRAINING)
def test_renaming_nodes_and_pools_changes_nothing(system: str) -> None:
    jobs = random_jobs(6, widest=8)
    renamed = pool(2, 8, name="z", node_names=["n2", "n1"])
    assert (jct_s(training(jobs, system, [pool(2, 8)])) == jct_s(training(jobs, system, [renamed]))).all()


def test_more_gpus_never_raise_the_makespan_of_fifo() -> None:
    jobs = random_jobs(7, widest=1, gap_s=5.0)
    ends_s = [run_records(training(jobs, pools=[pool(n, 1)])).end_s for n in range(1, 20)]
    assert all(after <= before for before, after in pairwise(ends_s))


@pytest.mark.parametrize("system", ["fcfs-quota", "fcfs-backfill", "sjf"])
def test_a_horizon_cuts_a_run_and_changes_nothing_before(system: str) -> None:
    whole = run_records(training(random_jobs(8), system, [pool(3, 8)]))
    cut_s = 1500.0
    cut = run_records(training(random_jobs(8), system, [pool(3, 8)], horizon_s=cut_s))
    n = len(cut.jobs)
    assert cut.end_s == cut_s
    assert n == (whole.jobs.submit_s < cut_s).sum()
    begun = whole.jobs.first_start_s[:n] < cut_s
    assert (cut.jobs.first_start_s[begun] == whole.jobs.first_start_s[:n][begun]).all()
    done = whole.jobs.end_s[:n] <= cut_s
    assert (cut.jobs.end_s[done] == whole.jobs.end_s[:n][done]).all()
    assert np.isnan(cut.jobs.end_s[~done]).all()


def test_a_start_overhead_is_added_to_each_job_and_counted() -> None:
    records = run_records(training(table((0, 100, 2)), overheads=Overheads(start_s=30)))
    assert records.jobs.end_s[0] == 130.0
    assert records.jobs.overhead_gpu_s[0] == 60.0
    assert records.jobs.useful_gpu_s[0] == 200.0
