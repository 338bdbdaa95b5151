"""Mean waits of textbook queues lie inside the 99 % interval of independent replications."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tests.simulation.service.queues import latencies, run, waits

REPLICATIONS = 20
N = 60_000


def erlang_c_wait(arrival_rate: float, service_rate: float, servers: int) -> float:
    a = arrival_rate / service_rate
    last = a**servers / math.factorial(servers) * servers / (servers - a)
    c = last / (sum(a**k / math.factorial(k) for k in range(servers)) + last)
    return c / (servers * service_rate - arrival_rate)


def means(seed: int, rate: float, measure, random_work: bool = False, **fields) -> np.ndarray:
    """Mean of `measure` in each replication, the first tenth (the queue starts empty) left out."""
    results = []
    for rng in np.random.default_rng(seed).spawn(REPLICATIONS):
        arrivals = np.cumsum(rng.exponential(1 / rate, N))
        work = rng.exponential(1.0, N) if random_work else None
        results.append(measure(run(arrivals, work=work, **fields))[N // 10 :].mean())
    return np.array(results)


def assert_mean(values: np.ndarray, expected: float) -> None:
    half = stats.t.ppf(0.995, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    assert abs(values.mean() - expected) <= half
    assert half < 0.08 * expected, "the interval is too wide to prove anything"


@pytest.mark.parametrize("servers", [1, 2, 4, 8])
def test_exponential_service_waits_as_erlang_says(servers):
    rate = 80.0 * servers
    values = means(servers, rate, waits, random_work=True, replicas=servers, beta_s=0.010)
    assert_mean(values, erlang_c_wait(rate, 100.0, servers))


@pytest.mark.parametrize(("servers", "expected"), [(1, 0.020), (2, 0.009033), (4, 0.003861)])
def test_deterministic_service_waits_less(servers, expected):
    values = means(100 + servers, 80.0 * servers, waits, replicas=servers, beta_s=0.010)
    assert_mean(values, expected)


@pytest.mark.parametrize(("rate", "latency"), [(50.0, 0.015517), (200.0, 0.020059), (400.0, 0.025340)])
def test_greedy_batches_are_the_capped_bulk_queue(rate, latency):
    values = means(int(rate), rate, latencies, alpha_s=0.0115, beta_s=0.0006, batch_max=8, timeout_s=0.0)
    assert_mean(values, latency)


@pytest.mark.parametrize(
    ("rate", "timeout_s", "wait_s"), [(400.0, None, 0.008750), (400.0, 0.020, 0.008159), (20.0, 0.120, 0.077203)]
)
def test_batches_take_as_long_to_form_as_they_should(rate, timeout_s, wait_s):
    values = means(7, rate, waits, replicas=64, beta_s=1e-6, batch_max=8, timeout_s=timeout_s)
    assert_mean(values, wait_s)


def test_littles_law_holds_on_a_run_that_starts_and_ends_empty():
    rng = np.random.default_rng(3)
    arrivals = np.cumsum(rng.exponential(1 / 160, 20_000))
    stay = latencies(run(arrivals, work=rng.exponential(1.0, 20_000), replicas=2, beta_s=0.010))
    events = np.concatenate([arrivals, arrivals + stay])
    order = np.argsort(events, kind="stable")
    present = np.cumsum(np.repeat([1, -1], len(arrivals))[order])[:-1]
    assert present.min() >= 0
    area = float((present * np.diff(events[order])).sum())  # L x T
    assert area == pytest.approx(float(stay.sum()), rel=1e-9)  # lambda x T x W
