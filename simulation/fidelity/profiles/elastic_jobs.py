"""Elastic jobs of ElasticFlow's simulator: work in iterations, a speed for each number of GPUs, a deadline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from simulation.fidelity.profiles.foretold import Stretch
from simulation.fidelity.profiles.slotted_agenda import Agenda
from simulation.fidelity.profiles.steps import Steps


@dataclass(slots=True, eq=False)
class ElasticJob:
    """`speed`: GPUs -> iterations/s, ascending; `within`: of so many free GPUs, those that it can use (`ladder`)."""

    row: int
    submit_s: float
    left: float  # iterations
    deadline_s: float
    speed: Mapping[int, float]
    within: tuple[int, ...]
    gpus: int = 0
    started: bool = False
    end_s: float = 0.0  # as foretold
    sure_end_s: float | None = None  # not rounded up to a slot; None: `end_s` is not either
    idle_s: float = 0.0  # at the begin of the present stretch
    shares: Steps = field(default_factory=dict)  # as planned

    @property
    def most(self) -> int:
        return self.within[-1]

    def above(self, gpus: int) -> int:
        """The next number of GPUs that it may have; `gpus` itself where there is none."""
        return next((level for level in self.speed if gpus < level <= self.most), gpus)


def ladder(speed: Mapping[int, float], most: int, gpus: int) -> tuple[int, ...]:
    """For 0, 1, ... `gpus`: the largest measured number of GPUs that is not more, and not more than `most`; or 0."""
    levels = [level for level in speed if level <= most]
    return tuple(max((level for level in levels if level <= free), default=0) for free in range(gpus + 1))


def run(jobs: Iterable[ElasticJob], since_s: float, now_s: float, agenda: Agenda) -> None:
    """Take in what jobs did since the last event; those that turn out to be done end with the present event."""
    for job in jobs:
        if job.gpus == 0:
            continue
        ran_s, done_s = _progress(job, since_s, now_s)
        if done_s is not None:
            ran_s = job.end_s - since_s
            agenda.revise(job.row, job.end_s, now_s)
            job.end_s = done_s
        job.left -= ran_s * job.speed[job.gpus]
        job.idle_s = 0.0


def _progress(job: ElasticJob, since_s: float, now_s: float) -> tuple[float, float | None]:
    """Seconds of work, and the end of a job that is done though it was foretold to end later (idle time forgotten)."""
    foretold_s = job.end_s if job.sure_end_s is None else job.sure_end_s
    ran_s = max(0.0, now_s - since_s - max(0.0, now_s - foretold_s) - job.idle_s)
    done = job.left <= ran_s * job.speed[job.gpus] and job.end_s > now_s
    return ran_s, since_s + math.ceil(job.left / job.speed[job.gpus]) if done else None


def stretch(jobs: Sequence[ElasticJob], now_s: float, agenda: Agenda, declined: Sequence[int] = ()) -> Stretch:
    """What the jobs do up to the next event of the agenda, if there is one."""
    if not agenda.events:
        return Stretch(math.inf, declined=tuple(declined))
    next_s = agenda.next_after(now_s)
    running = [job for job in jobs if job.gpus > 0]
    end_s = {job.row: job.end_s for job in running if job.row in agenda.events[0].ending}
    for job in running:
        done_s = _progress(job, now_s, next_s)[1]
        if done_s is not None:
            end_s[job.row] = done_s
    gpus = {job.row: job.gpus for job in running}
    return Stretch(next_s, gpus, end_s, {job.row: job.idle_s for job in running}, tuple(declined))
