"""The partner of a job: which running job's GPUs it may share, by what both have shown when they were profiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Profiled(NamedTuple):
    """A job as the choice of partners sees it. `size`: its expected GPU-seconds; memory is that of one GPU."""

    job: int
    gpus: int
    memory_bytes: float
    score: int
    size: float


class PartnerRule(NamedTuple):
    """What two jobs on the same GPUs must keep to.

    score_budget: largest sum of their scores. size_ratio: the newcomer is at most so many times as large as the job
    that runs, so that this one is not about to end. most_gpus: wider jobs do not share.
    """

    score_budget: int = 2
    size_ratio: float = 2.0
    most_gpus: int = 8

    def allows(self, newcomer: Profiled, running: Profiled, gpu_memory_bytes: float) -> bool:
        return (
            newcomer.gpus == running.gpus <= self.most_gpus
            and newcomer.memory_bytes + running.memory_bytes < gpu_memory_bytes
            and newcomer.score + running.score <= self.score_budget
            and newcomer.size <= self.size_ratio * running.size
        )

    def first(self, newcomer: Profiled, alone: Iterable[tuple[Profiled, float]]) -> int | None:
        """The first job of `alone` (with the memory of its GPUs) that may share with the newcomer; None: nobody."""
        for running, gpu_memory_bytes in alone:
            if self.allows(newcomer, running, gpu_memory_bytes):
                return running.job
        return None
