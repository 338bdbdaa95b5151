"""Minimum satisfactory shares with admission, and what is left over by marginal return."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from simulation.fidelity.profiles.elastic_filling import Filling, fill
from simulation.fidelity.profiles.elastic_jobs import ElasticJob, run, stretch
from simulation.fidelity.profiles.foretold import Stretch
from simulation.fidelity.profiles.slotted_agenda import Agenda
from simulation.fidelity.profiles.steps import Steps, gpu_seconds, without

RESTART_EVERY = 60  # events: then all that run are restarted


class Offer(NamedTuple):
    """The next number of GPUs for a job. marginal_gpu_s: GPU-time that the plan grows by, for each GPU more."""

    gpus: int
    marginal_gpu_s: float
    filling: Filling | None  # None: there is none, or it does not fit


class MinimumShares:
    """A schedule. `cost_s`: (GPUs, whether all are restarted, whether the group of GPUs has run together before)."""

    def __init__(self, jobs: Sequence[ElasticJob], gpus: int, cost_s: Callable[[int, bool, bool], float]) -> None:
        self._jobs, self._gpus, self._cost_s = jobs, gpus, cost_s
        self._agenda = Agenda([job.submit_s for job in jobs])
        self._live: list[ElasticJob] = []
        self._groups: set[tuple[int, int]] = set()
        self._last_s = 0.0
        self._events = 0

    def first_s(self) -> float:
        return self._agenda.events[0].at_s

    def step(self, now_s: float) -> Stretch:
        run(self._live, self._last_s, now_s, self._agenda)
        event = self._agenda.pop_at(now_s)
        assert event is not None  # the last stretch ended with it
        ended = {self._jobs[row] for row in event.ending if self._jobs[row].gpus > 0}
        self._live = [job for job in self._live if job not in ended]
        declined = self._admit([self._jobs[row] for row in event.arriving], now_s)
        free = self._share_out(now_s)
        self._top_up(now_s, free)
        later = [at_s for job in self._live for at_s in job.shares if at_s > now_s]
        if later:
            self._agenda.remind(min(later))
        self._charge()
        self._last_s = now_s
        return stretch(self._live, now_s, self._agenda, declined)

    def _admit(self, newcomers: Sequence[ElasticJob], now_s: float) -> list[int]:
        """All of them or none: whether everybody then meets the deadline. Returns who is declined."""
        free: Steps = {now_s: self._gpus}
        met = True
        for job in sorted([*self._live, *newcomers], key=lambda job: job.deadline_s):
            filling = fill(job, now_s, free, self._gpus)
            free, met = filling.free, met and filling.meets(job)
        if not met:
            return [job.row for job in newcomers]
        self._live += newcomers
        return []

    def _share_out(self, now_s: float) -> Steps:
        """The least that everybody needs, by deadline; returns what is free then."""
        free: Steps = {now_s: self._gpus}
        self._live.sort(key=lambda job: job.deadline_s)
        for job in self._live:
            filling = fill(job, now_s, free, self._gpus)
            self._plan(job, filling)
            free = filling.free
            job.gpus = job.shares[now_s]
        return free

    def _top_up(self, now_s: float, free: Steps) -> None:
        """GPUs that are left go step by step to the job whose plan grows most by it (the peer's order, not the text's).

        What is left of the order of offers decides who stands beside whom, so it is kept as the peer keeps it.
        """
        left = self._gpus - sum(job.gpus for job in self._live)
        if not left:
            return
        offers = {job: self._offer(job, now_s, free, left, -math.inf) for job in self._live}
        while True:
            self._live.sort(key=lambda job: -offers[job].marginal_gpu_s)
            best = next((job for job in self._live if offers[job].filling is not None), None)
            if best is None:
                return
            offer = offers[best]
            assert offer.filling is not None
            left -= offer.gpus - best.gpus
            best.gpus, free = offer.gpus, offer.filling.free
            self._plan(best, offer.filling)
            offers = {job: self._offer(job, now_s, free, left, offers[job].marginal_gpu_s) for job in self._live}

    def _offer(self, job: ElasticJob, now_s: float, free: Steps, left: int, topped_out: float) -> Offer:
        """topped_out: the marginal return of a job that has all that it can use."""
        gpus = job.above(job.gpus)
        if gpus == job.gpus:
            return Offer(gpus, topped_out, None)
        if gpus - job.gpus > left:
            return Offer(gpus, -math.inf, None)
        filling = fill(job, now_s, without(free, job.shares, job.end_s), self._gpus, gpus)
        if job.gpus == 0:
            return Offer(gpus, math.inf, filling)
        more_s = filling.gpu_s - gpu_seconds(job.shares, job.end_s)
        return Offer(gpus, more_s / (gpus - job.gpus), filling)

    def _plan(self, job: ElasticJob, filling: Filling) -> None:
        foretold_s, job.end_s = job.end_s, filling.end_s
        job.sure_end_s, job.shares = filling.sure_end_s, filling.shares
        self._agenda.revise(job.row, foretold_s, job.end_s)

    def _charge(self) -> None:
        """Groups of GPUs are aligned blocks, the largest first; each job pays for its group at every event."""
        restarting = self._events > 0 and self._events % RESTART_EVERY == 0
        self._events += 1
        self._live.sort(key=lambda job: -job.gpus)
        at = 0
        for job in self._live:
            group = (at, job.gpus)
            at += job.gpus
            if job.gpus:
                job.idle_s = self._cost_s(job.gpus, restarting, group in self._groups)
                self._groups.add(group)
                foretold_s, job.end_s = job.end_s, job.end_s + job.idle_s
                self._agenda.revise(job.row, foretold_s, job.end_s)
        if restarting:
            self._groups.clear()
