"""Progressive filling: the fewest GPUs, over the slots to its deadline, with which an elastic job still meets it.

Time is cut into steps, between which the number of free GPUs changes. What GPUs are planned and what remains free is
written down as steps too. Quirks of the peer are kept, where a job is late already.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from simulation.fidelity.profiles.elastic_jobs import ElasticJob
from simulation.fidelity.profiles.steps import Steps, align, gpu_seconds, merged


@dataclass(frozen=True, slots=True)
class Filling:
    """GPUs of the job and GPUs left free, from each instant on; `end_s` is the end of a slot."""

    shares: Steps
    free: Steps
    end_s: float
    sure_end_s: float

    def meets(self, job: ElasticJob) -> bool:
        return self.sure_end_s <= job.deadline_s

    @property
    def gpu_s(self) -> float:
        return gpu_seconds(self.shares, self.end_s)


class Attempt:
    """What is free is taken step by step, and work is done."""

    def __init__(self, job: ElasticJob, now_s: float, free: Steps, gpus: int) -> None:
        self.job, self.now_s, self.given, self.gpus = job, now_s, free, gpus
        self.left = job.left
        self.shares: Steps = {now_s: 0}
        self.due_s = align(now_s, job.deadline_s)
        self.free = dict(free)
        if self.due_s >= now_s and self.due_s not in free:
            self._add(self.due_s, self._given_before(self.due_s))

    def fill(self, first: int | None) -> Filling:
        begin_s = self.now_s
        if first is not None:
            done = self._first_step(first)
            if done is not None:
                return done
            begin_s = self._second_s()
            self.shares[begin_s] = 0
        return self._in_time(begin_s) or self._late(begin_s, first)

    def _first_step(self, gpus: int) -> Filling | None:
        """Finish in the first step, or work through it."""
        next_s, speed = self._second_s(), self.job.speed[gpus]
        self.shares[self.now_s] = gpus
        sure_s = math.ceil(self.now_s + self.left / speed)
        end_s = align(self.now_s, sure_s)
        before = self.free[self.now_s]
        self.free[self.now_s] -= gpus
        if next_s >= end_s and self.job.deadline_s >= sure_s:
            if end_s not in self.given:
                self._add(end_s, before)
            return self._filling(end_s, sure_s)
        self.left -= self._length_s(self.now_s, next_s) * speed
        return None

    def _second_s(self) -> float:
        return next((at_s for at_s in self.given if at_s > self.now_s), self.due_s)

    def _in_time(self, begin_s: float) -> Filling | None:
        """The lowest level at which the steps before the deadline are enough, the last ones first.

        A quirk of the peer: in the plan the step in which the job ends goes on to its end, and counts as GPU-time.
        """
        for at_s in self.free:
            if at_s < self.due_s:
                self.shares.setdefault(at_s, 0)
        level, below = self.job.above(0), 0
        while level <= self.job.most:
            from_s = self._enough_from(begin_s, level)
            if from_s is not None:
                return self._commit(begin_s, from_s, level, below)
            below, level = level, self.job.above(level)
            if level == below:
                break
        self._use_up(begin_s, below)
        return None

    def _enough_from(self, begin_s: float, level: int) -> float | None:
        done, end_s = 0.0, self.due_s
        for at_s in [at for at in reversed(self.free) if begin_s <= at < self.due_s]:
            share = min(level, self.job.within[self.free[at_s]])
            if share:
                done += self._length_s(at_s, end_s) * self.job.speed[share]
                if done >= self.left:
                    return at_s
            end_s = at_s
        return None

    def _commit(self, begin_s: float, from_s: float, level: int, below: int) -> Filling:
        """Steps before `from_s` are used as the level below would, to the end of the work."""
        times = [at_s for at_s in self.free if begin_s <= at_s <= self.due_s]
        for at_s, end_s in pairwise(times):
            share = self._take(at_s, level if at_s >= from_s else below)
            if not share:
                continue
            work = self._length_s(at_s, end_s) * self.job.speed[share]
            if at_s >= from_s and work >= self.left:
                return self._finish(begin_s, at_s, share)
            self.left -= work
        return self._finish(begin_s, times[-1], self._take(times[-1], level))

    def _finish(self, begin_s: float, at_s: float, share: int) -> Filling:
        length_s = math.ceil(self.left / self.job.speed[share])
        end_s = at_s + align(0, length_s)
        if end_s not in self.given:
            self._add(end_s, self._given_before(end_s, begin_s))
        return self._filling(end_s, at_s + length_s)

    def _use_up(self, begin_s: float, level: int) -> None:
        """It will be late: all steps before the deadline are used at the highest level."""
        times = [at_s for at_s in self.free if begin_s <= at_s <= self.due_s]
        for at_s, end_s in pairwise(times):
            share = self._take(at_s, level)
            if share:
                self.left -= self._length_s(at_s, end_s) * self.job.speed[share]

    def _late(self, begin_s: float, first: int | None) -> Filling:
        """After the deadline everything free is used, as far as it helps."""
        at_s = max(self.due_s, begin_s)
        for end_s in [at for at in self.free if at > self.due_s]:
            share = self.job.within[self.free[at_s]]
            self.shares[at_s] = share
            if share:
                work = (end_s - at_s) * self.job.speed[share]
                if work >= self.left:
                    return self._finish_late(at_s, share)
                self.left -= work
                for each_s in self.free:
                    if at_s <= each_s < end_s:
                        self.free[each_s] -= share
            at_s = end_s
        share = first if first is not None else self.job.most
        self.shares[at_s] = share
        sure_s = math.ceil(at_s + self.left / self.job.speed[share])
        end_s = align(self.now_s, sure_s)
        self.free[at_s] = self.gpus - share
        self._add(end_s, self.gpus)
        return self._filling(end_s, sure_s)

    def _finish_late(self, at_s: float, share: int) -> Filling:
        sure_s = math.ceil(at_s + self.left / self.job.speed[share])
        end_s = align(self.now_s, sure_s)
        before = self._given_before(end_s)
        for each_s in self.free:
            if at_s <= each_s < end_s:
                self.free[each_s] -= share
        self.free[at_s] = before - share
        if end_s not in self.given:
            self._add(end_s, before)
        return self._filling(end_s, sure_s)

    def _take(self, at_s: float, level: int) -> int:
        share = min(level, self.job.within[self.free[at_s]])
        self.shares[at_s] = share
        self.free[at_s] -= share
        return share

    def _length_s(self, at_s: float, end_s: float) -> float:
        """The step that ends with the deadline's slot counts up to the deadline itself."""
        return (self.job.deadline_s if end_s == self.due_s else end_s) - at_s

    def _given_before(self, at_s: float, from_s: float = -math.inf) -> int:
        last = self.gpus
        for each_s, count in self.given.items():
            if from_s <= each_s < at_s:
                last = count
        return last

    def _add(self, at_s: float, count: int) -> None:
        self.free[at_s] = count
        self.free = dict(sorted(self.free.items()))

    def _filling(self, end_s: float, sure_end_s: float) -> Filling:
        return Filling(merged(self.shares), merged(self.free), end_s, sure_end_s)


def fill(job: ElasticJob, now_s: float, free: Steps, gpus: int, first: int | None = None) -> Filling:
    """The plan of a job in what is `free` of `gpus`. first: its GPUs in the first step; None: as few as possible."""
    return Attempt(job, now_s, free, gpus).fill(first)
