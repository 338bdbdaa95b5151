"""The request kernel: batches over replicas."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from simulation.engine.service import ServiceQueue
from simulation.scenario import Phase, Requests, Service
from tests.bench.conftest import Say

REQUESTS = 2_000_000
pytestmark = pytest.mark.benchmark(timer=time.process_time)  # CPU seconds: others may use the machine too


def test_requests_a_second(benchmark: Any, figure: Say) -> None:
    source = Requests(phases=[Phase(start_s=0, rate_per_s=1.0)], end_s=1.0)
    service = Service(name="s", replicas=8, batch_max=8, timeout_s=0.01, alpha_s=0.04, beta_s=0.005, requests=source)
    arrivals_s = np.cumsum(np.random.default_rng(0).exponential(1.0 / 700.0, REQUESTS))
    queues: list[ServiceQueue] = []

    def fresh() -> None:
        queues.append(ServiceQueue(service, arrivals_s))
        queues[-1].set_replicas(0.0, 8, 0.0)

    benchmark.pedantic(lambda: queues[-1].advance(np.inf), setup=fresh, rounds=3, iterations=1, warmup_rounds=1)
    rate = REQUESTS / benchmark.stats.stats.min
    figure(f"request kernel: {rate / 1e6:.0f} M requests/s, batches over 8 replicas", value=rate, unit="requests/s")
