"""Short ways to run a request queue in tests."""

from __future__ import annotations

import numpy as np

from simulation.engine.service import ServiceColumns, ServiceQueue
from simulation.scenario import Requests, Service

NONE = Requests(times_s=[])


def service(**fields) -> Service:
    return Service(**({"name": "s", "alpha_s": 0.0, "requests": NONE} | fields))


def run(arrivals, replicas=1, work=None, end_s=1e12, **fields) -> ServiceColumns:
    queue = ServiceQueue(service(**fields), np.asarray(arrivals, dtype=np.float64), work)
    queue.set_replicas(0.0, replicas, 0.0)
    return queue.finish(end_s)


def waits(columns: ServiceColumns) -> np.ndarray:
    return columns.queue_s + columns.batch_wait_s + columns.load_s


def latencies(columns: ServiceColumns) -> np.ndarray:
    return waits(columns) + columns.execute_s
