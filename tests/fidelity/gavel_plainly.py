"""Gavel's rounds once more, told plainly: one dictionary a job, one loop, nothing compiled, no ledger."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from simulation.fidelity.profiles.gavel_allocations import Allocation, Demand
from simulation.fidelity.profiles.gavel_policy import Measured, Rule


@dataclass
class Job:
    number: int
    arrival_s: float
    left: float
    gang: int
    start_s: float = float("nan")
    end_s: float = float("nan")
    failures: int = 0
    share: list[float] | None = None  # of each type; None: nothing was promised yet
    ran_s: list[float] = field(default_factory=list)
    owed_s: list[float] = field(default_factory=list)


class Plainly:
    """A run from the first arrival to the last end; after `run` the jobs say what happened."""

    def __init__(self, jobs: list[Job], measured: Measured, allocation: Allocation, rule: Rule) -> None:
        self.jobs, self.measured, self.allocation, self.rule = jobs, measured, allocation, rule
        self.types = range(len(measured.gpus))
        self.shuffle = random.Random(5)
        self.live: list[Job] = []
        self.total_s = [0.0 for _ in self.types]
        self.renewed_s = self.charged_s = 0.0
        self.stale = False

    def run(self) -> None:
        now_s, come = self.jobs[0].arrival_s, 0
        while True:
            new = [job for job in self.jobs[come:] if job.arrival_s <= now_s]
            self.admit(new)
            come += len(new)
            chosen = self.choose(now_s)
            while not chosen and self.live and come == len(self.jobs) and self.stale:
                self.renewed_s = 0.0
                chosen = self.choose(now_s)
            if chosen:
                now_s = self.work(chosen, now_s)
            elif come < len(self.jobs):
                now_s = self.jobs[come].arrival_s
            else:
                return

    def admit(self, new: list[Job]) -> None:
        for job in new:
            job.ran_s, job.owed_s = [180.0 for _ in self.types], [0.0 for _ in self.types]
        self.total_s = [total_s + 180.0 * len(new) for total_s in self.total_s]
        self.live += new
        self.stale |= bool(new)

    def choose(self, now_s: float) -> list[tuple[Job, int]]:
        if self.stale and (now_s - self.renewed_s >= 1920.0 or self.renewed_s == 0.0):
            self.renew(now_s)
        order = list(self.measured.preferred)
        if self.rule.shuffled:
            self.shuffle.shuffle(order)
        taken: dict[int, int] = {}
        for kind in order:
            free = int(self.measured.gpus[kind])
            for job in sorted(self.live, key=lambda job: self.rank(job, kind), reverse=True):  # stable
                idle = self.measured.throughput[job.number, kind] == 0
                unpromised = self.rule.promised_only and self.rank(job, kind)[0] <= 0
                if job.number not in taken and job.gang <= free and not idle and not unpromised:
                    taken[job.number] = kind
                    free -= job.gang
        return [(job, taken[job.number]) for job in self.live if job.share is not None and job.number in taken]

    def rank(self, job: Job, kind: int) -> tuple[float, float, float]:
        if job.share is None:
            return (0.0, job.owed_s[kind], 0.0)
        received = job.ran_s[kind] / self.total_s[kind]
        share = job.share[kind]
        return (share / received if received > 0 else share * 1e9, job.owed_s[kind], share)

    def renew(self, now_s: float) -> None:
        since_s, self.renewed_s, self.stale = now_s - self.renewed_s, now_s, False
        for job in self.live:
            for kind in self.types:
                share = 0.0 if job.share is None else job.share[kind]
                job.owed_s[kind] += share * since_s - (job.ran_s[kind] - 180.0)
                job.ran_s[kind] = 180.0
        self.total_s = [180.0 * len(self.live) for _ in self.types]
        if self.live:
            numbers = np.array([job.number for job in self.live])
            demand = Demand(
                numbers, np.array([job.gang for job in self.live]), self.measured.throughput[numbers],
                self.measured.gpus, np.array([job.left for job in self.live]),
                np.array([now_s - job.arrival_s for job in self.live]),
            )  # fmt: skip
            for job, share in zip(self.live, self.allocation.shares(demand).tolist(), strict=True):
                job.share = share

    def work(self, chosen: list[tuple[Job, int]], now_s: float) -> float:
        """One round; returns its end."""
        done = []
        for job, kind in chosen:
            job.start_s = now_s if np.isnan(job.start_s) else job.start_s
            rate = float(self.measured.throughput[job.number, kind])
            steps = min(np.floor(rate * 360.0), job.left)
            done.append((now_s + steps / rate, job, kind, steps))
        for finish_s, job, kind, steps in sorted(done, key=lambda row: (-row[0], row[1].number)):
            if steps < job.gang:
                job.failures += 1
            else:
                job.failures = 0
                job.left -= steps
                job.ran_s[kind] += finish_s - self.charged_s
                self.total_s[kind] += finish_s - self.charged_s
            if job.left == 0:
                job.end_s = finish_s
            if job.left == 0 or job.failures == 5:
                self.live.remove(job)
                self.stale = True
        self.charged_s = max(finish_s for finish_s, *_ in done)
        return self.charged_s
