"""The profiler: nodes set aside on which every job of few GPUs runs first, for a short while.

A job that ends there has had its answer at once; one that has not begins anew outside, for it is stopped, not moved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View


class Profiler:
    """The last `nodes` of the cluster (one is always left outside), for gangs of at most nodes x `factor` GPUs."""

    def __init__(self, view: View, nodes: int, factor: int, stay_s: float) -> None:
        count = min(nodes, len(view.nodes.size) - 1) if stay_s > 0 else 0
        self._aside = np.arange(len(view.nodes.size)) >= len(view.nodes.size) - count
        self._outside_gpus = int(view.nodes.size[~self._aside].sum())
        self._widest, self._stay_s = count * factor, stay_s
        self._queue: set[int] = set()
        self._until_s: dict[int, float] = {}
        self._leaving = False

    def refresh(self, view: View, news: News) -> None:
        """New jobs queue; those that wait again, or have finished, are done with."""
        for job in (*news.finished.tolist(), *news.waiting.tolist()):
            self._until_s.pop(job, None)
        new = news.waiting[~view.has_run(news.waiting)].tolist()
        self._queue |= {job for job in new if self.takes(view, job)}

    def takes(self, view: View, job: int) -> bool:
        """Whether a job is profiled at all: it must be narrow, and may be stopped."""
        return bool(view.gang[job] <= self._widest and view.preemptible[job])

    def holds(self, job: int) -> bool:
        return job in self._until_s

    def is_done_with(self, job: int) -> bool:
        """Whether a waiting job may start outside."""
        return job not in self._queue and job not in self._until_s

    def place(self, view: View, rule: int, draft: Draft) -> None:
        """Stop those whose time is over (they wait from the next decision on), then start the smallest that queue
        until one does not fit."""
        due = [job for job, until_s in self._until_s.items() if until_s <= view.now_s]
        for job in due:
            draft.stop(job)
        self._leaving = bool(due)
        for job in sorted(self._queue, key=lambda job: (view.gang[job], view.submit_s[job], job)):
            if not self._start(self._aside, job, int(view.gang[job]), rule, draft):
                return
            self._queue.remove(job)
            self._until_s[job] = view.now_s + self._stay_s

    def start_outside(self, job: int, gpus: int, rule: int, draft: Draft) -> bool:
        """Start a job on the other nodes; on all of them if it is too wide for these."""
        everywhere = gpus > self._outside_gpus
        return self._start(~self._aside | everywhere, job, gpus, rule, draft)

    def wake_s(self, view: View) -> float:
        return view.now_s if self._leaving else min(self._until_s.values(), default=np.inf)

    def _start(self, where: NDArray[np.bool_], job: int, gpus: int, rule: int, draft: Draft) -> bool:
        hidden = draft.free[~where].copy()
        draft.free[~where] = 0
        started = draft.start(job, gpus, rule)
        draft.free[~where] = hidden
        return started
