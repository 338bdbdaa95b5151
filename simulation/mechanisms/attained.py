"""The order of attained service: queues by GPU-time, demotion at thresholds, promotion after long waits."""

from __future__ import annotations

import heapq

import numpy as np

from simulation.engine.kernels.order import SLACK_GPU_S
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.sequence import KeyedSequence, Keys
from simulation.records import Floats, Ints


class AttainedSequence(KeyedSequence):
    """Queue by queue; inside a queue the running jobs in order of their start, then the waiting ones as they came.

    The GPU-time counts since the last promotion. Demotion of running jobs and promotion of waiting ones are instants
    that can be told in advance, so nothing is polled.
    """

    def __init__(self, view: View, thresholds_gpu_s: Floats, promote: float) -> None:
        super().__init__(view, self._keys_now)
        self._thresholds, self._promote = thresholds_gpu_s, promote
        self._ends = np.append(thresholds_gpu_s, np.inf)  # of each queue
        self._base_gpu_s = np.zeros(len(view.submit_s))
        self._due: list[tuple[float, int]] = []  # promotions to come, stale ones included
        self._due_s = np.full(len(view.submit_s), np.inf)

    def _keys_now(self, view: View, jobs: Ints) -> Keys:
        level = self._level(self._served(view, jobs))
        runs = view.runs(jobs)
        first = np.where(runs, level, level + 0.5)
        return first, np.where(runs, view.began_s(jobs), view.now_s)

    def _served(self, view: View, jobs: Ints) -> Floats:
        served = view.attained_gpu_s(jobs)
        return served - self._base_gpu_s[jobs] if self._promote > 0 else served

    def _level(self, served_gpu_s: Floats) -> Ints:
        return self._thresholds.searchsorted(served_gpu_s + SLACK_GPU_S, side="right")

    def refresh(self, view: View, news: News) -> None:
        super().refresh(view, news)
        if self._promote > 0:
            self._plan_promotions(view, news.waiting)
            self._promote_due(view)

    def _plan_promotions(self, view: View, jobs: Ints) -> None:
        ran = jobs[view.has_run(jobs)]
        due_s = view.now_s + self._promote * self._served(view, ran) / view.gang[ran]
        self._due_s[ran] = due_s
        for job, at_s in zip(ran.tolist(), due_s.tolist(), strict=True):
            heapq.heappush(self._due, (at_s, job))

    def _promote_due(self, view: View) -> None:
        promoted = []
        while self._due and self._due[0][0] <= view.now_s:
            at_s, job = heapq.heappop(self._due)
            if self._due_s[job] == at_s and not view.held[job]:
                promoted.append(job)
        if promoted:
            jobs = np.array(promoted, np.int64)
            self._base_gpu_s[jobs] = view.attained_gpu_s(jobs)
            self._due_s[jobs] = np.inf
            self.move(view, jobs)

    def wake_s(self, view: View) -> float:
        """The next demotion of a running job or promotion of a waiting one, if anyone waits."""
        if not view.waiting_count:
            return np.inf
        jobs = view.running
        served = self._served(view, jobs)
        to_go = self._ends[self._level(served)] - served
        demotion_s = view.now_s + float((to_go / np.maximum(1, view.held[jobs])).min(initial=np.inf))
        return min(demotion_s, self._due[0][0] if self._due else np.inf)
