"""Compiled forms of orderings: the keys of a job at an instant, lower first; ties of both go by submission."""

from __future__ import annotations

import numpy as np

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner
from simulation.engine.kernels.pace import work_profiled_s
from simulation.engine.state import RUNNING_COUNT, WAITING_COUNT, State
from simulation.records import Floats

# Opcodes of orderings (mechanisms.ordering documents them)
FIXED, REMAINING, ATTAINED = range(3)
SLACK_GPU_S = 1e-6  # attained service is a float sum; a job this near a threshold has reached it


class Order(ByAddress):
    """FIXED: `values` are keys. REMAINING: run time left x `values`. ATTAINED: queues by `thresholds` of GPU-time."""

    op: int
    values: Floats  # (jobs,)
    thresholds: Floats


@inner
def level_of(o: Order, served_gpu_s: float) -> int:
    """Queue of a job that has held so much."""
    level = 0
    while level < len(o.thresholds) and o.thresholds[level] <= served_gpu_s + SLACK_GPU_S:
        level += 1
    return level


@inner
def served_gpu_s(s: State, job: int, now_s: float) -> float:
    served: float = s.attained_gpu_s[job] + s.held[job] * s.share[job] * (now_s - s.since_s[job])
    return served


@inner
def waiting_key(s: State, o: Order, job: int, now_s: float) -> tuple[float, float]:
    """Keys of a job that begins to wait now; they stay while it waits."""
    if o.op == FIXED:
        return o.values[job], 0.0
    if o.op == REMAINING:
        return max(0.0, s.remaining_s[job]) * o.values[job], 0.0
    return level_of(o, s.attained_gpu_s[job]) + 0.5, now_s


@inner
def running_key(s: State, o: Order, job: int, now_s: float) -> tuple[float, float]:
    if o.op == FIXED:
        return o.values[job], 0.0
    if o.op == REMAINING:
        worked_s = max(0.0, now_s - s.work_from_s[job])
        done_s = worked_s * s.rate[job] if s.plain[job] else work_profiled_s(s, job, worked_s)
        return max(0.0, s.remaining_s[job] - done_s) * o.values[job], 0.0
    return float(level_of(o, served_gpu_s(s, job, now_s))), s.began_s[job]


@inner
def next_change_s(s: State, o: Order, now_s: float) -> float:
    """When the order changes by itself: the next demotion of a running job, if anyone waits."""
    if o.op != ATTAINED or s.tally[WAITING_COUNT] == 0:
        return np.inf
    least = np.inf
    for i in range(s.tally[RUNNING_COUNT]):
        job = s.running[i]
        served = served_gpu_s(s, job, now_s)
        level = level_of(o, served)
        if level < len(o.thresholds):
            least = min(least, (o.thresholds[level] - served) / (max(1, s.held[job]) * s.share[job]))
    return now_s + least
