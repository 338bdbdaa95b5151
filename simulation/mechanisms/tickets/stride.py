"""Stride scheduling of gangs: who has had least for its tickets goes first.

A user's pass on a kind of GPU grows by GPU-time over its tickets there, the pass of a job by its GPU-time. In a turn
the user with the smallest pass runs its job with the smallest pass, again and again. A gang that does not fit is
passed over, and its user with it: both keep their passes, so that the gang goes first in a turn to come, when all GPUs
are free. GPUs that are left over then are given to anyone, free of charge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.records import Floats, Ints


class Queue(NamedTuple):
    """Jobs that may run on a kind of GPU; columns of one length."""

    job: Ints
    user: Ints
    gang: Ints


class Turn(NamedTuple):
    """Jobs that run, in the order of choosing, and whether they are charged for it."""

    job: list[int]
    charged: list[bool]


class Strides:
    """Passes of users by kind, and of jobs."""

    def __init__(self, jobs: int, users: int, kinds: int) -> None:
        self._of_user = np.zeros((users, kinds))
        self._of_job = np.zeros(jobs)
        self._active = np.zeros((users, kinds), np.bool_)

    def admit(self, job: int, gang: int, others: Ints) -> None:
        """A new job stands behind those of its user, which are `others`, that have had least."""
        self._of_job[job] = self._of_job[others].min() + gang if len(others) else 0.0

    def enter(self, tickets: Floats) -> None:
        """Who holds tickets (users, kinds) that had none begins with the smallest pass there is."""
        holds = tickets > 0
        for kind in range(holds.shape[1]):
            stayed, new = holds[:, kind] & self._active[:, kind], holds[:, kind] & ~self._active[:, kind]
            if stayed.any():
                least = self._of_user[stayed, kind].min()
                self._of_user[new, kind] = np.maximum(self._of_user[new, kind], least)
        self._active = holds

    def choose(self, queue: Queue, tickets: Floats, kind: int, gpus: int, quantum_s: float) -> Turn:
        """Who runs on `gpus` of a kind in the next `quantum_s`; tickets (users,) on this kind."""
        turn, passes = Turn([], []), self._of_user[:, kind].copy()
        waiting = self._by_user(queue)
        able = {user for user in waiting if tickets[user] > 0}
        while gpus and able:
            user = min(able, key=lambda user: (passes[user], -queue.gang[waiting[user][0]], user))
            row = waiting[user][0]
            if queue.gang[row] > gpus:
                able.remove(user)
                continue
            _run(turn, queue, row, True)
            gpus -= int(queue.gang[row])
            passes[user] += queue.gang[row] * quantum_s / tickets[user]
            del waiting[user][0]
            if not waiting[user]:
                able.remove(user)
        left = sorted(waiting, key=lambda user: (tickets[user] <= 0, passes[user], user))
        for row in [row for user in left for row in waiting[user]]:
            if queue.gang[row] <= gpus:
                _run(turn, queue, row, False)
                gpus -= int(queue.gang[row])
        return turn

    def charge(self, job: int, user: int, kind: int, gpu_s: float, tickets: float) -> None:
        """GPU-time that a job has had; tickets of its user for it, 0: free of charge."""
        self._of_job[job] += gpu_s
        if tickets > 0:
            self._of_user[user, kind] += gpu_s / tickets

    def _by_user(self, queue: Queue) -> dict[int, list[int]]:
        """Rows of the queue by user, the job with the smallest pass first."""
        rows: dict[int, list[int]] = {}
        for row in np.lexsort((queue.job, -queue.gang, self._of_job[queue.job])).tolist():
            rows.setdefault(int(queue.user[row]), []).append(row)
        return rows


def _run(turn: Turn, queue: Queue, row: int, charged: bool) -> None:
    turn.job.append(int(queue.job[row]))
    turn.charged.append(charged)
