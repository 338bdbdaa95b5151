"""A gang is spread where the tensors of its model are alike; where they are not, or nobody knows, it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.rate_profile import Iteration, RateProfile
from simulation.run import run_records
from simulation.scenario import JobTable, Scenario, Workload
from tests.simulation.building import pool, random_jobs, table, training
from tests.simulation.engine.test_same_bits import digest

SKEWS = {"vgg": 0.74, "resnet": 0.11, "unknown": None}


def scenario(jobs: JobTable, models: list[str], nodes: int, **parameters: Any) -> Scenario:
    profiles = [RateProfile(name=name, iteration=Iteration(compute_s=1.0), skew=skew) for name, skew in SKEWS.items()]
    made = training(jobs, "tiresias", [pool(nodes, 4)], {key.replace("__", "."): v for key, v in parameters.items()})
    labelled = jobs.model_copy(update={"profile": models})
    return made.model_copy(update={"workload": Workload(jobs=labelled, profiles=profiles)})


def start_s(model: str, **parameters: Any) -> float:
    """Of two GPUs, where one is free on each of two nodes until 100 s."""
    jobs = table((0.0, 100.0, 3), (0.0, 100.0, 3), (1.0, 50.0, 2))
    found = run_records(scenario(jobs, ["vgg", "vgg", model], 2, preemption="none", **parameters)).jobs.first_start_s
    return float(found[2])


def test_skew_decides() -> None:
    assert {model: start_s(model) for model in SKEWS} == {"vgg": 100.0, "resnet": 1.0, "unknown": 100.0}


def test_how_much_skew_is_too_much_is_a_parameter() -> None:
    assert start_s("vgg", placement__most_skew=0.8) == 1.0
    assert start_s("resnet", placement__most_skew=0.1) == 100.0


@pytest.mark.parametrize("seed", range(4))
def test_where_nobody_knows_all_are_consolidated(seed: int) -> None:
    jobs = random_jobs(seed, widest=8)
    by_skew, strictly = (
        run_records(training(jobs, "tiresias", [pool(3, 8)], parameters))
        for parameters in ({}, {"placement": "consolidate-strictly", "placement.node": "best"})
    )
    assert digest(by_skew) == digest(strictly)


@pytest.mark.parametrize("preemption", ["none", "immediate"])
@pytest.mark.parametrize("seed", range(4))
def test_many_decisions_at_once_give_the_bits_of_one_by_one(preemption: str, seed: int) -> None:
    jobs = random_jobs(seed, widest=8, gap_s=10.0)
    models = np.random.default_rng(seed).choice(list(SKEWS), len(jobs)).tolist()
    mixed = scenario(jobs, models, 4, preemption=preemption)
    assert digest(run_records(mixed)) == digest(run_records(mixed, allow_compiled=False))
    assert digest(run_records(mixed)) != digest(run_records(scenario(jobs, ["vgg"] * len(jobs), 4)))
