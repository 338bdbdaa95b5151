"""Arrival times of requests: recorded ones, or drawn from phases of constant rate.

Constant: the k-th request of a phase (k = 0, 1, ...) arrives k / rate after the phase begins.
Poisson: exponential gaps; by lack of memory each phase starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulation.generators.demand import scaled
from simulation.records import Floats
from simulation.scenario import Phase, Requests

Process = Callable[[float, float, float, np.random.Generator], Floats]


def constant(from_s: float, to_s: float, rate_per_s: float, rng: np.random.Generator) -> Floats:
    """Evenly spaced instants in [from_s, to_s), the first at from_s; draws nothing."""
    count = int(np.ceil((to_s - from_s) * rate_per_s)) + 1
    times: Floats = from_s + np.arange(count, dtype=np.float64) / rate_per_s
    return times[times < to_s]


def poisson(from_s: float, to_s: float, rate_per_s: float, rng: np.random.Generator) -> Floats:
    """A Poisson process in [from_s, to_s): a Poisson count of independent uniform instants, in order."""
    count = int(rng.poisson((to_s - from_s) * rate_per_s))
    return np.sort(rng.uniform(from_s, to_s, count))


PROCESSES: dict[str, Process] = {"constant": constant, "poisson": poisson}


def arrival_times(
    requests: Requests, rng: np.random.Generator, demand_factor: float = 1.0, horizon_s: float | None = None
) -> Floats:
    """Ascending arrival times (n,) in seconds, before `horizon_s` where one is given.

    `demand_factor` multiplies the rate of generated requests; recorded ones are thinned or repeated (`demand.scaled`).
    """
    if requests.times_s is not None:
        _, times = scaled(np.sort(np.asarray(requests.times_s, dtype=np.float64)), demand_factor, rng)
    else:
        times = _generated(
            requests.phases or [], requests.end_s or 0.0, PROCESSES[requests.process], rng, demand_factor
        )
    return times if horizon_s is None else times[times < horizon_s]


def _generated(
    phases: list[Phase], end_s: float, process: Process, rng: np.random.Generator, demand_factor: float
) -> Floats:
    phases = sorted(phases, key=lambda p: p.start_s)
    ends_s = [min(p.start_s, end_s) for p in phases[1:]] + [end_s]
    parts = [
        process(phase.start_s, until_s, phase.rate_per_s * demand_factor, rng)
        for phase, until_s in zip(phases, ends_s, strict=True)
        if until_s > phase.start_s and phase.rate_per_s > 0
    ]
    return np.concatenate(parts) if parts else np.empty(0)
