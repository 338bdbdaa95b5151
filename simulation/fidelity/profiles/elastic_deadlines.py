"""Earliest deadline first with all the GPUs that a job can use: at each event the future is dealt out anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from simulation.fidelity.profiles.elastic_jobs import ElasticJob, run, stretch
from simulation.fidelity.profiles.foretold import Stretch
from simulation.fidelity.profiles.slotted_agenda import Agenda
from simulation.fidelity.profiles.steps import Steps, align, merged


class EarliestDeadline:
    """A schedule. Nobody is declined, and nothing costs anything."""

    def __init__(self, jobs: Sequence[ElasticJob], gpus: int) -> None:
        self._jobs, self._gpus = jobs, gpus
        self._agenda = Agenda([job.submit_s for job in jobs])
        self._live: list[ElasticJob] = []
        self._last_s = 0.0

    def first_s(self) -> float:
        return self._agenda.events[0].at_s

    def step(self, now_s: float) -> Stretch:
        run(self._live, self._last_s, now_s, self._agenda)
        event = self._agenda.pop_at(now_s)
        assert event is not None  # the last stretch ended with it
        ended = {self._jobs[row] for row in event.ending}
        self._live = [job for job in self._live if job not in ended]
        self._live += [self._jobs[row] for row in event.arriving]
        in_turn = sorted(self._live, key=lambda job: job.deadline_s)
        if not event.arriving:
            self._live = in_turn
        self._deal(in_turn, now_s)
        self._last_s = now_s
        return stretch(self._live, now_s, self._agenda)

    def _deal(self, in_turn: Sequence[ElasticJob], now_s: float) -> None:
        free: Steps = {now_s: self._gpus}
        plans = {}
        for job in in_turn:
            free, plans[job.row] = deal(job, now_s, free, self._gpus)
        for job in self._live:
            foretold_s, (job.gpus, job.end_s) = job.end_s, plans[job.row]
            if job.started:
                self._agenda.revise(job.row, foretold_s, job.end_s)
            elif job.gpus > 0:
                job.started = True
                self._agenda.foretell(job.row, job.end_s)


def deal(job: ElasticJob, now_s: float, free: Steps, gpus: int) -> tuple[Steps, tuple[int, float]]:
    """Give the job in each step of the future what it can use of what is `free`, to its end.

    Returns what is free then, the GPUs that it gets now, and its end. A quirk of the peer is kept: GPUs are given back
    at the end of a slot, and if another step begins there they are not.
    """
    left, after, now = job.left, dict(free), 0
    times, wanted = list(free), job.most
    for begin_s, end_s in pairwise(times):
        share = wanted if after[begin_s] >= wanted else job.within[after[begin_s]]
        if begin_s == now_s:
            now = share
        if share == 0:
            continue
        done_s = math.ceil(begin_s + left / job.speed[share])
        if done_s <= end_s:
            before = after[begin_s]
            after[begin_s] -= share
            if done_s not in free:
                after[align(now_s, done_s)] = before
            return merged(after), (now, done_s)
        left -= (end_s - begin_s) * job.speed[share]
        after[begin_s] -= share
    last_s = times[-1]
    done_s = math.ceil(last_s + left / job.speed[wanted])
    after[last_s] = gpus - wanted
    after[align(now_s, done_s)] = gpus
    return merged(after), (now if last_s > now_s else wanted, done_s)
