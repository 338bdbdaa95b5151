"""Attained service in queues on a slotted agenda: fixed gangs, a minute between events, starts that cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulation.fidelity.profiles.foretold import Stretch
from simulation.fidelity.profiles.slotted_agenda import Agenda
from simulation.fidelity.profiles.steps import SLOT_S

LIMITS_GPU_S = (3250, 7200)  # service at which a job leaves a queue
RESTART_EVERY = 60  # events: then all that run are restarted


@dataclass(slots=True, eq=False)
class GangJob:
    """Times in whole seconds."""

    row: int
    submit_s: float
    duration_s: int
    gpus: int
    runs: bool = False
    looked_s: float = 0.0  # up to when `served_s` counts
    served_s: int = 0
    idle_s: float = 0.0
    queue: int = 0


class ServiceQueues:
    """A schedule. `cost_s`: (GPUs, whether all are restarted) -> seconds that a start takes."""

    def __init__(self, jobs: Sequence[GangJob], gpus: int, cost_s: Callable[[int, bool], float]) -> None:
        self._jobs, self._gpus, self._cost_s = jobs, gpus, cost_s
        self._arrivals = Agenda([job.submit_s for job in jobs])
        self._live: list[GangJob] = []
        self._queues: list[list[GangJob]] = [[] for _ in range(len(LIMITS_GPU_S) + 1)]
        self._ending: list[GangJob] = []
        self._ends_s = math.inf
        self._events = 0

    def first_s(self) -> float:
        return self._arrivals.events[0].at_s

    def step(self, now_s: float) -> Stretch:
        if self._ends_s == now_s:
            for job in self._ending:
                self._live.remove(job)
                self._queues[job.queue].remove(job)
        event = self._arrivals.pop_at(now_s)
        for row in event.arriving if event is not None else ():
            job = self._jobs[row]
            job.looked_s = now_s
            self._live.append(job)
            self._queues[0].append(job)
        self._serve(now_s)
        restarting = self._events > 0 and self._events % RESTART_EVERY == 0
        self._events += 1
        self._choose(restarting)
        end_s = self._foretell(now_s, restarting)
        running = [job for job in self._live if job.runs]
        next_s = self._next_s(now_s, running)
        return Stretch(
            next_s, {job.row: job.gpus for job in running}, end_s if self._ends_s == next_s else {},
            {job.row: job.idle_s for job in running},
        )  # fmt: skip

    def _serve(self, now_s: float) -> None:
        """Service since the last event; who has had enough for a queue moves to the tail of the next."""
        for job in self._live:
            if job.runs:
                job.served_s += int(max(int(now_s - job.looked_s) - job.idle_s, 0))
                job.idle_s = 0.0
                if job.queue < len(LIMITS_GPU_S) and job.served_s * job.gpus >= LIMITS_GPU_S[job.queue]:
                    self._queues[job.queue].remove(job)
                    job.queue += 1
                    self._queues[job.queue].append(job)
            job.looked_s = now_s

    def _choose(self, restarting: bool) -> None:
        """Down the queues whoever fits runs; inside a queue those who do then stand before those who do not."""
        free = self._gpus
        for queue in self._queues:
            for job in queue:
                fits = job.gpus <= free
                if fits and not job.runs:
                    job.idle_s = self._cost_s(job.gpus, restarting)
                job.runs = fits
                free -= job.gpus if fits else 0
            queue.sort(key=lambda job: not job.runs)
        self._live.sort(key=lambda job: -job.gpus)

    def _foretell(self, now_s: float, restarting: bool) -> dict[int, float]:
        """The next ends. A quirk of the peer is kept: what a start costs delays them only if all are restarted."""
        end_s: dict[int, float] = {}
        self._ending, self._ends_s = [], math.inf
        for job in self._live:
            if not job.runs:
                continue
            left_s: float = job.duration_s - job.served_s
            if restarting:
                job.idle_s = self._cost_s(job.gpus, restarting)
                left_s += job.idle_s
            ends_s = int(now_s + left_s)
            noticed_s = max(now_s + SLOT_S, ends_s)
            if noticed_s < self._ends_s:
                self._ending, self._ends_s, end_s = [], noticed_s, {}
            if noticed_s == self._ends_s:
                self._ending.append(job)
                end_s[job.row] = ends_s
        return end_s

    def _next_s(self, now_s: float, running: Sequence[GangJob]) -> float:
        """Arrival, end or change of a queue, a slot from now at the earliest."""
        moves_s = [
            math.ceil((LIMITS_GPU_S[job.queue] - job.served_s) / job.gpus) + now_s
            for job in running
            if job.queue < len(LIMITS_GPU_S)
        ]
        next_s = max(now_s + SLOT_S, min(moves_s, default=math.inf))
        if self._arrivals.events:
            next_s = min(next_s, self._arrivals.next_after(now_s))
        return min(next_s, self._ends_s)
