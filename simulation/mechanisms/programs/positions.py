"""Places in queues by least sum of completion times: an assignment of jobs to slots and positions from the end.

The last job of a slot's queue delays only itself, the last but one two jobs, and so on: at position k from the end, run
time counts k times. So who goes where, and in which order, is one minimum-cost matching.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from simulation.records import Floats, Ints


class Slots(NamedTuple):
    """Places that each run one job at a time."""

    kind: Ints  # (slots,)
    ready_s: Floats  # (slots,) from now; 0: free


class Matching(NamedTuple):
    """By job: its slot (-1: none can run it), and its position there, 1 for the last."""

    slot: Ints
    position: Ints

    def heads(self) -> Ints:
        """The first job of each queue that has any, by slot."""
        order = np.lexsort((-self.position, self.slot))
        order = order[self.slot[order] >= 0]
        _, first = np.unique(self.slot[order], return_index=True)
        return order[first]


def match(time_s: Floats, slots: Slots) -> Matching:
    """The queues with the least sum of completion times. time_s (jobs, kinds): run times, inf where impossible."""
    slot, position = (np.full(len(time_s), -1, np.int64) for _ in range(2))
    able = np.flatnonzero(np.isfinite(time_s[:, slots.kind]).any(axis=1))
    if len(able):
        column_slot, column_position = _columns(len(able), slots)
        of_kind = time_s[able][:, slots.kind[column_slot]]
        rows, columns = linear_sum_assignment(of_kind * column_position + slots.ready_s[column_slot])
        slot[able[rows]], position[able[rows]] = column_slot[columns], column_position[columns]
    return Matching(slot, position)


def sum_of_completions_s(time_s: Floats, slots: Slots, matching: Matching) -> float:
    """From now on, over the jobs that have a slot."""
    jobs = np.flatnonzero(matching.slot >= 0)
    slot = matching.slot[jobs]
    return float((time_s[jobs, slots.kind[slot]] * matching.position[jobs] + slots.ready_s[slot]).sum())


def _columns(jobs: int, slots: Slots) -> tuple[Ints, Ints]:
    """Slot and position of every place that may be taken.

    Queues of equal free slots differ by one job at most, so that they need not be longer than an even share.
    """
    even = -(-jobs // np.maximum(1, np.bincount(slots.kind)))[slots.kind]
    alike = np.array([not slots.ready_s[slots.kind == kind].any() for kind in slots.kind.tolist()], np.bool_)
    depth = np.where(alike, even, jobs)
    slot = np.repeat(np.arange(len(depth)), depth)
    return slot, np.concatenate([np.arange(1, d + 1) for d in depth.tolist()])
