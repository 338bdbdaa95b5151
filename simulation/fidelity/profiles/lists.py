"""How simulators that keep their jobs in lists order them: settings, and the lists of one run.

The engine's own orders break ties by submission and tell demotions exactly in advance. A list that is sorted stably
breaks ties by history, and a queue that is a list has a tail to which jobs are moved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.by_address import ByAddress
from simulation.mechanisms.gittins import gittins_table
from simulation.records import Floats, Ints

# what a single list is sorted by, or queues by attained service
RANKS = ("gpus", "remaining", "remaining-gpu-time", "queues")
GPUS, REMAINING, REMAINING_GPU_TIME, QUEUES = range(4)

# how the next demotion is foretold, in whole seconds: from limit, seconds run t and GPUs n
JUMPS = ("floor((limit - t) / n)", "ceil(limit / n) - t")
FLOOR_OF_REST, CEILING_OF_LIMIT = range(2)


@dataclass(frozen=True, slots=True)
class ListSettings:
    """`rank` alone orders one list, least first. The rest is for queues.

    limits: service at which a job leaves each queue but the last, in s or (by_gpu_time) GPU-s.
    promote: a job returns to the first queue once it waited this many times what it ran; 0: never.
    sample_gpu_s: GPU-time of jobs, ascending, from which queues are ordered by Gittins index, `delta_gpu_s` ahead.
    """

    rank: str = "queues"
    limits: tuple[float, ...] = (3250.0, 7200.0)
    by_gpu_time: bool = True
    promote: float = 0.0
    jump: str = JUMPS[FLOOR_OF_REST]
    sample_gpu_s: tuple[float, ...] = ()
    delta_gpu_s: float = 3250.0


class Lists(ByAddress):
    """`job[:tally[0]]` are the unfinished jobs in their order; per job: key, queue, clocks since its promotion."""

    rank: int
    job: Ints
    tally: Ints
    key: Floats  # (jobs,) of the single list; Gittins index
    level: Ints  # (jobs,) queue
    base_s: Floats  # (jobs,) seconds run at the last promotion
    waited_s: Floats  # (jobs,) waited since then, after having run
    looked_s: Floats  # (1,) the last look
    limit: Floats
    by_gpus: bool
    promote: float
    jump: int
    sample: Floats
    table: Floats
    moved: Ints  # scratch
    pile: Ints  # scratch
    is_moved: Ints  # scratch, zero between calls
    start: Ints  # scratch


def make_lists(settings: ListSettings, jobs: int) -> Lists:
    """Empty lists with room for `jobs`."""
    whole = [np.zeros(jobs + 1, np.int64) for _ in range(5)]
    sample = np.array(settings.sample_gpu_s, dtype=np.float64)
    return Lists(
        rank=RANKS.index(settings.rank), job=whole[0], tally=np.zeros(1, np.int64), key=np.zeros(jobs), level=whole[1],
        base_s=np.zeros(jobs), waited_s=np.zeros(jobs), looked_s=np.zeros(1), limit=np.array(settings.limits),
        by_gpus=settings.by_gpu_time, promote=settings.promote, jump=JUMPS.index(settings.jump), sample=sample,
        table=np.append(gittins_table(sample, settings.delta_gpu_s, whole_expectation=True), 0.0),
        moved=whole[2], pile=whole[3], is_moved=whole[4], start=np.zeros(2 * len(settings.limits) + 3, np.int64),
    )  # fmt: skip
