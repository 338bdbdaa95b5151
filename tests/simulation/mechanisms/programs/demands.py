"""Demands for tests, and the same linear programs solved by a library's simplex method."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from simulation.mechanisms.programs.demand import Demand
from simulation.mechanisms.programs.linear import LinearProgram
from simulation.records import Floats


def demand(gangs: list[int], rates: list[list[float]], gpus: list[int], **columns: Any) -> Demand:
    """Jobs that have just come with 1000 s of work each, without deadlines; any column may be given."""
    jobs = len(gangs)
    plain = Demand(
        gang=np.array(gangs, np.float64),
        rate=np.array(rates, np.float64).reshape(jobs, len(gpus)),
        gpus=np.array(gpus),
        weight=np.ones(jobs),
        left_s=np.full(jobs, 1000.0),
        age_s=np.zeros(jobs),
        isolated_s=np.zeros(jobs),
        due_s=np.full(jobs, np.inf),
        price=np.ones(len(gpus)),
    )
    return plain._replace(**{name: np.asarray(column) for name, column in columns.items()})


def random_demand(seed: int, jobs: int | None = None, types: int | None = None, most_gpus: int = 100) -> Demand:
    """Mixed gangs, ages and amounts of work; one rate in ten is 0."""
    rng = np.random.default_rng(seed)
    jobs = jobs or int(rng.integers(1, 60))
    types = types or int(rng.integers(1, 5))
    return demand(
        rng.choice([1, 1, 1, 2, 4, 8], jobs).tolist(),
        (rng.uniform(0.3, 5.0, (jobs, types)) * (rng.random((jobs, types)) < 0.9)).tolist(),
        rng.integers(4, most_gpus, types).tolist(),
        weight=rng.choice([1.0, 1.0, 5.0], jobs),
        left_s=rng.lognormal(7.0, 1.5, jobs),
        age_s=rng.exponential(2000.0, jobs),
        isolated_s=rng.exponential(500.0, jobs),
        price=rng.uniform(0.5, 4.0, types),
    )


def by_simplex(lp: LinearProgram) -> float | None:
    """The largest value of the program, or None where there is no solution."""
    jobs, types = lp.value.shape
    of_job = sparse.kron(sparse.eye_array(jobs), np.ones((1, types)))
    floors = [-of_job.multiply(lp.worth.ravel()[None, :]), sparse.csr_array(lp.lift[:, None])]
    times = [of_job, None]
    capacities = [sparse.kron(lp.gang[None, :], sparse.eye_array(types)), None]
    rows = sparse.block_array([floors, times, capacities], format="csr")
    right = np.concatenate([-lp.floor, np.ones(jobs), lp.gpus])
    cost = -np.append(lp.value.ravel(), 1.0 if lp.lift.any() else 0.0)
    bounds = [(0, None)] * lp.value.size + [(None, None)]
    found = linprog(cost, A_ub=rows, b_ub=right, bounds=bounds)
    return -float(found.fun) if found.status == 0 else None


def assert_feasible(wanted: Demand, share: Floats) -> None:
    """Within the time of jobs and the GPUs of types (shares have six decimals), and nothing where a job cannot run."""
    assert (share >= 0).all()
    assert (share.sum(axis=1) <= 1 + 1e-5).all()
    assert (wanted.gang @ share <= wanted.gpus + 1e-6 * wanted.gang.sum() + 1e-6).all()
    assert (share[~wanted.usable] == 0).all()


def rate_of(wanted: Demand, share: Floats) -> Floats:
    rate: Floats = (wanted.rate * share).sum(axis=1)
    return rate
