"""Queues with known answers: one GPU is one server, and the theory of queues applies."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.run import run_records
from simulation.scenario import JobTable
from tests.simulation.building import pool, training

JOBS = 60_000
LOAD = 0.7


def waits_s(durations_s: np.ndarray, servers: int = 1, seed: int = 0) -> np.ndarray:
    """Waits of jobs that come at random to `servers` GPUs, at LOAD."""
    rng = np.random.default_rng(seed)
    gaps_s = rng.exponential(durations_s.mean() / LOAD / servers, len(durations_s))
    n = len(durations_s)
    jobs = JobTable(
        id=[str(i) for i in range(n)],
        submit_s=np.cumsum(gaps_s).tolist(),
        duration_s=durations_s.tolist(),
        gpus=[1] * n,
    )
    records = run_records(training(jobs, pools=[pool(1, servers)]))
    return records.jobs.first_start_s - records.jobs.submit_s


def test_m_m_1() -> None:
    durations_s = np.random.default_rng(1).exponential(1.0, JOBS)
    assert waits_s(durations_s).mean() == pytest.approx(LOAD / (1 - LOAD), rel=0.08)


def test_m_d_1() -> None:
    assert waits_s(np.ones(JOBS)).mean() == pytest.approx(LOAD / (2 * (1 - LOAD)), rel=0.06)


def test_m_m_c() -> None:
    """Erlang's formula for 4 servers."""
    c, offered = 4, 4 * LOAD
    terms = np.cumprod([1.0, *(offered / k for k in range(1, c + 1))])
    queued = terms[c] / (1 - LOAD) / (terms[:c].sum() + terms[c] / (1 - LOAD))
    durations_s = np.random.default_rng(2).exponential(1.0, JOBS)
    assert waits_s(durations_s, servers=c).mean() == pytest.approx(queued / (c - offered), rel=0.08)


def test_littles_law() -> None:
    """Mean number in the system = arrival rate x mean time in it; both sides from different records."""
    rng = np.random.default_rng(3)
    n = 20_000
    jobs = JobTable(
        id=[str(i) for i in range(n)],
        submit_s=np.cumsum(rng.exponential(1.3, n)).tolist(),
        duration_s=rng.exponential(1.0, n).tolist(),
        gpus=[1] * n,
    )
    records = run_records(training(jobs, pools=[pool(1, 1)]))
    busy = (records.job_spans.end_s - records.job_spans.start_s).sum() / records.end_s
    running_s = (records.jobs.end_s - records.jobs.first_start_s).mean()
    assert busy == pytest.approx(n / records.end_s * running_s, rel=1e-9)
    events_s = np.concatenate([records.jobs.submit_s, records.jobs.end_s])
    change = np.concatenate([np.ones(n), -np.ones(n)])
    order = np.argsort(events_s, kind="stable")
    inside = np.cumsum(change[order])[:-1] @ np.diff(events_s[order]) / records.end_s
    assert inside == pytest.approx(n / records.end_s * (records.jobs.end_s - records.jobs.submit_s).mean(), rel=1e-9)
