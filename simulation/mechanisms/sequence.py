"""Jobs in the order in which a recipe considers them; kept up to date, never sorted anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from simulation.engine.kernels.queue import compact, make_queue, merge, refresh, remove, sort_running
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.records import Floats, Ints

Keys = tuple[Floats, Floats]  # lower first; ties of both go by submission


class Sequence(Protocol):
    """The order of one run."""

    def refresh(self, view: View, news: News) -> None:
        """Take in what has happened; call once a decision, first."""

    def waiting(self, view: View) -> Ints:
        """Jobs that wait, first served first; valid until the next refresh."""

    def everyone(self, view: View) -> Ints:
        """Running and waiting jobs in one order."""

    def running(self, view: View) -> Ints:
        """Running jobs, the most important first."""

    def wake_s(self, view: View) -> float:
        """When the order changes by itself; inf: never."""


class KeyedSequence:
    """Order by two keys of a job; the keys of a waiting job stay what they were when it began to wait."""

    def __init__(self, view: View, keys: Callable[[View, Ints], Keys]) -> None:
        jobs = len(view.submit_s)
        self._keys, self._queue = keys, make_queue(jobs)
        self._everyone = np.zeros(jobs, np.int64)
        self._compact = True  # nobody is in the queue who does not wait

    def refresh(self, view: View, news: News) -> None:
        if len(news.waiting):
            refresh(view.ledger, self._queue, news.waiting, *self._keys(view, news.waiting))
        self._compact = len(news.waiting) > 0

    def move(self, view: View, jobs: Ints) -> None:
        """Put waiting jobs whose keys have changed in their new places."""
        remove(view.ledger, self._queue, jobs)
        refresh(view.ledger, self._queue, jobs, *self._keys(view, jobs))

    def waiting(self, view: View) -> Ints:
        if not self._compact:
            compact(view.ledger, self._queue)
            self._compact = True
        return self._queue.job[: self._queue.tally[0]]

    def everyone(self, view: View) -> Ints:
        first, second = self._keys(view, view.running)
        count = merge(view.ledger, self._queue, first, second, self._everyone)
        return self._everyone[:count]

    def running(self, view: View) -> Ints:
        sort_running(view.ledger, *self._keys(view, view.running))
        return view.running

    def wake_s(self, view: View) -> float:
        return np.inf
