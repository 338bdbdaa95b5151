"""What a job that is interrupted keeps of its work, what it loses, and what it pays to go on."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.segments import end_segment, to_waiting
from simulation.engine.state import (
    AT_RISK_GPU_S,
    AT_RISK_S,
    AT_RISK_TIME_S,
    CUT_OFF,
    RESTART,
    RESUME,
    SAVE_EVERY,
    STAKES,
    START,
    Log,
    State,
)


@inner
def save(s: State, job: int) -> None:
    """What the job has done so far cannot be lost any more."""
    if s.overhead_s[STAKES] > 0.0:
        for column in range(s.risk.shape[1]):
            s.risk[job, column] = 0.0


@inner
def lose(s: State, job: int) -> None:
    """A job that has just ended its segment loses what it did since its last checkpoint while running.

    What it did is taken to be spread evenly over the time since the last save.
    """
    time_s, every_s = s.risk[job, AT_RISK_TIME_S], s.overhead_s[SAVE_EVERY]
    unsaved_s = time_s if every_s == np.inf else time_s % every_s
    if time_s > 0.0:
        part = unsaved_s / time_s
        s.remaining_s[job] = min(s.duration_s[job], s.remaining_s[job] + part * s.risk[job, AT_RISK_S])
        s.useful_gpu_s[job] -= part * s.risk[job, AT_RISK_GPU_S]
        s.lost_gpu_s[job] += part * s.risk[job, AT_RISK_GPU_S]
    save(s, job)


@kernel
def fail(s: State, log: Log, job: int, now_s: float, told: bool) -> None:
    """A running job loses its GPUs because a node goes; `told`: in time to save its progress."""
    end_segment(s, log, job, now_s)
    if told:
        save(s, job)
    else:
        lose(s, job)
        s.risk[job, CUT_OFF] = 1.0
    to_waiting(s, job)


@kernel
def entry_s(s: State, job: int) -> float:
    """Overhead of a job that waits and takes GPUs: the checkpoint of its last stop, if it made one, is part of it."""
    if np.isnan(s.first_start_s[job]):
        return float(s.overhead_s[START])
    if s.overhead_s[STAKES] > 0.0 and s.risk[job, CUT_OFF] > 0.0:
        return float(s.overhead_s[RESTART])
    return float(s.overhead_s[RESUME])
