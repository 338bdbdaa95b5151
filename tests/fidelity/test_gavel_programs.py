"""Programs of the Gavel profile reach what they are asked for; runs of them come near to those on record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from simulation.fidelity.cases import run_cases
from simulation.fidelity.profiles.gavel_allocations import Demand, Isolated
from simulation.fidelity.profiles.gavel_programs import FinishTime, LeastDuration, MostThroughput
from simulation.records import Floats


def demand(seed: int, jobs: int = 12) -> Demand:
    rng = np.random.default_rng(seed)
    return Demand(
        np.arange(jobs), rng.choice([1, 2, 4], jobs), rng.uniform(0.5, 5.0, (jobs, 3)), np.array([6, 4, 2]),
        rng.uniform(1e3, 1e5, jobs), rng.uniform(0.0, 1e4, jobs),
    )  # fmt: skip


def best_value(d: Demand, value: Floats, rate: Floats) -> float | None:
    """The greatest `value` . x + z with every job at `rate` z or more (z up to 1); None: impossible."""
    jobs, types = d.throughput.shape
    of_job = np.kron(np.eye(jobs), np.ones(types))
    rows = [
        np.hstack([-of_job * d.throughput.ravel(), rate[:, None]]),
        np.hstack([of_job, np.zeros((jobs, 1))]),
        np.hstack([np.kron(d.gang, np.eye(types)), np.zeros((types, 1))]),
    ]
    at_most = np.concatenate([np.zeros(jobs), np.ones(jobs), d.gpus])
    found = linprog(-np.append(value.ravel(), 1.0), np.vstack(rows), at_most, bounds=[(0, None)] * (jobs * types + 1))
    return None if found.status else -float(found.fun)


def assert_fits(d: Demand, share: Floats) -> None:
    assert (share >= 0).all()
    assert share.sum(axis=1).max() <= 1 + 1e-5
    assert ((d.gang[:, None] * share).sum(axis=0) <= d.gpus + 1e-4).all()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_ends_at_most_a_twentieth_after_the_least_duration(seed: int) -> None:
    d = demand(seed)
    share = LeastDuration().shares(d)
    assert_fits(d, share)
    least = best_value(d, np.zeros(d.throughput.shape), d.left)
    assert least is not None
    ends_s = d.left / (d.throughput * share).sum(axis=1)
    assert 1 / least * (1 - 1e-3) <= ends_s.max() <= 1.05 / least * (1 + 1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_the_sum_of_steps_cannot_be_bettered(seed: int) -> None:
    d = demand(seed)
    share = MostThroughput().shares(d)
    assert_fits(d, share)
    best = best_value(d, d.throughput, np.ones(len(d.job)) * 1e9)  # no common level
    assert best is not None
    assert (d.throughput * share).sum() == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_no_shares_have_a_smaller_largest_ratio_of_finish_times(seed: int) -> None:
    d = demand(seed)
    share = FinishTime().shares(d)
    assert_fits(d, share)
    alone_s = d.left / (d.throughput * Isolated().shares(d)).sum(axis=1)
    ratio = ((d.age_s + d.left / (d.throughput * share).sum(axis=1)) / alone_s).max()
    needed = d.left / (0.999 * ratio * alone_s - d.age_s)
    level = best_value(d, np.zeros(d.throughput.shape), needed)
    assert level is not None
    assert level < 1.0 or (needed < 0).any()


def test_work_that_was_done_counts_as_it_would_have_alone() -> None:
    """After a renewal half of a job is done; what that takes on an equal part is remembered."""
    d, rule = demand(0), FinishTime()
    rule.shares(d)
    equal = (d.throughput * Isolated().shares(d)).sum(axis=1)
    assert rule._account(d._replace(left=d.left / 2), equal) == pytest.approx(d.left / 2 / equal)


@pytest.mark.parametrize("policy", ["finish_time_fairness_perf", "min_total_duration_perf", "max_sum_throughput_perf"])
def test_a_recorded_run(shared_dir: Path, policy: str) -> None:
    (rows,) = run_cases([f"gavel/small20_2-2-2/{policy}"], shared_dir / "reference")
    assert {row.verdict for row in rows} <= {"pass", "reported"}


@pytest.mark.slow
@pytest.mark.parametrize("case", ["mmf96_8-16-24/min_total_duration_perf", "mk100_8-16-24/min_total_duration_perf"])
def test_a_long_recorded_run(shared_dir: Path, case: str) -> None:
    (rows,) = run_cases([f"gavel/{case}"], shared_dir / "reference")
    assert {row.verdict for row in rows} == {"pass"}


def test_runs_that_are_not_emulated_are_on_record_with_the_reason(shared_dir: Path) -> None:
    (row,) = next(iter(run_cases(["sia/saturn-workload-1/sia"], shared_dir / "reference")))
    assert row.verdict == "recorded"
    assert row.ours is None
    assert row.theirs == pytest.approx(2091.09, abs=0.01)
