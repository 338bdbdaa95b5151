"""The profiler: nodes set aside on which every job of few GPUs runs first, for a short while.

A job that ends there has had its answer at once; one that has not begins anew outside, for it is stopped, not moved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.engine.draft import Draft
from simulation.engine.kernels.place import place
from simulation.engine.plan import make_plan
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.holding import pieces_of
from simulation.records import Ints

Nodes = NDArray[np.bool_]


class Profiler:
    """The last `nodes` of the cluster (one is always left outside), for gangs of at most nodes x `factor` GPUs.

    They may be of unlike pools, or away: a gang that they could not hold if they were empty goes without a profile.
    """

    def __init__(self, view: View, nodes: int, factor: int, stay_s: float) -> None:
        count = min(nodes, len(view.nodes.size) - 1) if stay_s > 0 else 0
        self._aside = np.arange(len(view.nodes.size)) >= len(view.nodes.size) - count
        self._widest, self._stay_s = count * factor, stay_s
        self._queue: set[int] = set()
        self._until_s: dict[int, float] = {}
        self._taken: set[int] = set()
        self._leaving = False
        self._scratch = make_plan(view.cluster_gpus)
        self._emptied: Ints | None = None  # (nodes,) GPUs that would be free if every job had ended; made when needed

    def refresh(self, view: View, news: News) -> None:
        """New jobs that are narrow and may be stopped queue; those that wait again, or have finished, are done with."""
        for job in (*news.finished.tolist(), *news.waiting.tolist()):
            self._until_s.pop(job, None)
        new = news.waiting[~view.has_run(news.waiting)]
        self._queue.update(new[(view.gang[new] <= self._widest) & view.preemptible[new]].tolist())
        self._emptied = None

    def holds(self, job: int) -> bool:
        return job in self._until_s

    def has_taken(self, job: int) -> bool:
        """Whether a job is known from a stay here, past or present."""
        return job in self._taken

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
            if self._start(self._aside, job, int(view.gang[job]), rule, draft):
                self._until_s[job] = view.now_s + self._stay_s
                self._taken.add(job)
            elif self._could_hold(self._aside, view, job, rule):
                return
            self._queue.remove(job)

    def start_outside(self, view: View, job: int, rule: int, draft: Draft) -> bool:
        """Start a job on the other nodes; on all of them if those could not hold it."""
        gpus, outside = int(view.gang[job]), ~self._aside
        if self._start(outside, job, gpus, rule, draft):
            return True
        return not self._could_hold(outside, view, job, rule) and draft.start(job, gpus, rule)

    def wake_s(self, view: View) -> float:
        return view.now_s if self._leaving else min(self._until_s.values(), default=np.inf)

    def _could_hold(self, where: Nodes, view: View, job: int, rule: int) -> bool:
        """Whether a gang has room on some nodes once all jobs there have ended."""
        if self._emptied is None:
            self._emptied = _emptied(view)
        self._scratch.clear()
        room = np.where(where, self._emptied, 0)
        return bool(place(view.ledger, room, self._scratch, job, int(view.gang[job]), rule))

    def _start(self, where: Nodes, job: int, gpus: int, rule: int, draft: Draft) -> bool:
        hidden = draft.free[~where].copy()
        draft.free[~where] = 0
        started = draft.start(job, gpus, rule)
        draft.free[~where] = hidden
        return started


def _emptied(view: View) -> Ints:
    """(nodes,) GPUs that are free or held by jobs: those of nodes that are away, or held by services, are not."""
    gpus = view.free.copy()
    for job in view.running.tolist():
        if view.mates(job)[0] == job:
            for node, held in pieces_of(view, job):
                gpus[node] += held
    return gpus
