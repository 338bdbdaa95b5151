"""Changing what a policy may not see of unfinished jobs changes none of its decisions so far."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.run import run_records
from simulation.scenario import JobTable, Scenario
from tests.simulation.building import BLIND, TRAINING, pool, random_jobs, training

CUT_S = 1200.0


def scenario(jobs: JobTable, system: str) -> Scenario:
    return training(jobs, system, [pool(2, 8)])


def decisions_until(records_of: Scenario, cut_s: float) -> list[tuple[int, int, int, float]]:
    """(job, node, GPUs, since) of every holding that began before `cut_s`."""
    spans = run_records(records_of).job_spans
    begun = spans.start_s < cut_s
    columns = (spans.owner[begun], spans.node[begun], spans.gpus[begun], spans.start_s[begun])
    return sorted(zip(*(c.tolist() for c in columns), strict=True))


def with_other_futures(jobs: JobTable, system: str, seed: int) -> JobTable:
    """Durations of jobs unfinished at CUT_S drawn anew, so that they are still unfinished then."""
    records = run_records(scenario(jobs, system))
    unfinished = ~(records.jobs.end_s <= CUT_S)
    factor = np.random.default_rng(seed).uniform(1.0, 50.0, len(jobs))
    duration_s = np.where(unfinished, np.array(jobs.duration_s) * factor, jobs.duration_s)
    return jobs.model_copy(update={"duration_s": duration_s.tolist(), "estimate_s": None})


@pytest.mark.parametrize("system", BLIND)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_blind_policies(system: str, seed: int) -> None:
    jobs = random_jobs(seed, widest=8, gap_s=15.0)
    other = with_other_futures(jobs, system, seed)
    assert decisions_until(scenario(jobs, system), CUT_S) == decisions_until(scenario(other, system), CUT_S)


@pytest.mark.parametrize("system", [s for s in TRAINING if s not in BLIND])
def test_the_property_tells_blind_from_knowing(system: str) -> None:
    """An oracle does decide otherwise in some workload; else the property above would prove nothing."""
    changed = 0
    for seed in range(8):
        jobs = random_jobs(seed, widest=8, gap_s=15.0).model_copy(update={"estimate_s": None})
        other = with_other_futures(jobs, system, seed)
        changed += decisions_until(scenario(jobs, system), CUT_S) != decisions_until(scenario(other, system), CUT_S)
    assert changed
