"""The solver of linear programs reaches the optimum that a simplex method finds, within all constraints."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from simulation.mechanisms.programs.linear import LinearProgram, left_side, maximise
from tests.conftest import ROOT
from tests.simulation.mechanisms.programs.demands import by_simplex

SEEDS = range(60)


def random_program(seed: int) -> LinearProgram:
    """Some raise a common level, some a sum, some both; floors can be met."""
    rng = np.random.default_rng(seed)
    jobs, types = int(rng.choice([1, 2, 5, 20, 60])), int(rng.integers(1, 5))
    gang, gpus = rng.choice([1.0, 2.0, 4.0], jobs), rng.integers(1, 60, types).astype(np.float64)
    worth = rng.uniform(0.1, 4.0, (jobs, types))
    part = np.minimum(1.0 / types, gpus / gang.sum())  # of the time of every job: feasible
    floor = (worth * part).sum(axis=1) * rng.uniform(0.0, 0.9, jobs) * (rng.random(jobs) < 0.5)
    kind = seed % 3
    return LinearProgram(
        value=rng.uniform(0.0, 1.0, (jobs, types)) * (kind != 0),
        worth=worth,
        floor=floor,
        lift=rng.uniform(0.2, 2.0, jobs) * (kind != 1),
        gang=gang,
        gpus=gpus,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_is_that_of_the_simplex_method(seed: int) -> None:
    lp = random_program(seed)
    found = maximise(lp)
    value = float((lp.value * found.share).sum()) + found.level
    assert value == pytest.approx(by_simplex(lp), rel=1e-6, abs=1e-6)
    jobs, types = lp.value.shape
    left = np.empty(2 * jobs + types + jobs * types)
    left_side(lp, found.share, found.level, left)
    assert (left <= np.concatenate([-lp.floor, np.ones(jobs), lp.gpus, np.zeros(jobs * types)]) + 1e-7).all()


@pytest.mark.parametrize("seed", SEEDS[::6])
def test_prices_of_floors_are_where_there_is_nothing_to_spare(seed: int) -> None:
    found = maximise(random_program(seed))
    assert np.abs(found.price * found.spare).max() < 1e-6
    assert (np.minimum(found.price, found.spare) < 1e-3).all()


def test_equal_jobs_get_equal_shares() -> None:
    lp = LinearProgram(
        np.zeros((6, 2)), np.full((6, 2), [1.0, 3.0]), np.zeros(6), np.ones(6), np.ones(6), np.array([2.0, 1.0])
    )
    share = maximise(lp).share
    assert np.abs(share - share[0]).max() < 1e-12
    assert share.sum(axis=0) == pytest.approx([2.0, 1.0], abs=1e-6)


def test_floors_that_cannot_be_met_together_are_an_error() -> None:
    lp = LinearProgram(np.ones((2, 1)), np.ones((2, 1)), np.full(2, 0.9), np.zeros(2), np.ones(2), np.ones(1))
    assert by_simplex(lp) is None
    with pytest.raises(ValueError, match="a linear program of 2 shares has no solution"):
        maximise(lp)


def test_an_optimum_so_sharp_that_equations_lose_their_rank_is_found() -> None:
    value = np.array([[0.25, 0.5], [0.375, 0.0], [0.125, 0.25]])
    worth = np.array([[1.0, 2.0], [1.0, 0.0], [1.0, 2.0]])
    lp = LinearProgram(value, worth, np.full(3, -1.0), np.zeros(3), np.array([2.0, 3.0, 1.0]), np.array([4.0, 2.0]))
    assert (value * maximise(lp).share).sum() == pytest.approx(by_simplex(lp), abs=1e-5)


def test_time_goes_where_it_is_worth_most() -> None:
    """One GPU of each type for two jobs: each has the type that it is better at."""
    value = np.array([[1.0, 2.0], [3.0, 5.0]])
    lp = LinearProgram(value, value, np.full(2, -1.0), np.zeros(2), np.ones(2), np.ones(2))
    assert maximise(lp).share == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0]]), abs=1e-6)
    better = lp._replace(value=np.array([[1.0, 4.0], [3.0, 5.0]]))
    assert maximise(better).share == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0]]), abs=1e-6)


def digest() -> str:
    """Of the shares of a dozen small programs."""
    small = [lp for lp in map(random_program, range(20)) if len(lp.gang) <= 5]
    return hashlib.sha256(b"".join(maximise(lp).share.tobytes() for lp in small)).hexdigest()


def test_compiled_equals_plain() -> None:
    """To the last bit, with the compiler switched off in a process of its own."""
    code = "from tests.simulation.mechanisms.programs.test_linear_programs import digest; print(digest())"
    plain = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert plain.stdout.strip() == digest()
