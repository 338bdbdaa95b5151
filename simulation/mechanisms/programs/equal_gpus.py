"""What a program for equal GPUs decides about: one domain of the cluster at a time, and the jobs that belong there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.view import View
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.blocks import Pieces, ladder, place_blocks
from simulation.records import Floats, Ints
from simulation.world.links import CLUSTER, RACK, nearest_level


@dataclass(frozen=True)
class EqualGpus:
    """Jobs in the order of arrival, those that run and may be moved included, and the GPUs that are theirs to share."""

    domain: int
    jobs: list[int]
    room: Ints  # (nodes,) GPUs that are free or held by these jobs; 0 on nodes of other domains
    held: dict[int, Pieces]

    @property
    def gpus(self) -> int:
        return int(self.room.sum())


class Homes:
    """The domain of each job: where it holds GPUs, else where the fewest are asked for among those that it may use.

    A job that waits is dealt anew at each decision, unless it was promised something where it is.
    """

    def __init__(self, whole: bool = False) -> None:
        """whole: jobs run with the gang asked for and no smaller one."""
        self._home: dict[int, int] = {}
        self._whole = whole

    def parts(self, view: View, draft: Draft, promised: Collection[int] = ()) -> tuple[list[EqualGpus], list[Target]]:
        """The domains that have jobs; and what jobs hold that must not be moved."""
        running = view.running.tolist()
        pieces: dict[int, Pieces] = {job: tuple(draft.pieces(job)) for job in running}
        movable = [job for job in running if view.preemptible[job]]
        live = sorted([*movable, *view.waiting.tolist()])
        self._settle(view, live, pieces, promised)
        room = draft.free.copy()
        for job in movable:
            for node, gpus in pieces[job]:
                room[node] += gpus
        fixed = [Target(job, int(view.held[job]), pieces=pieces[job]) for job in sorted(set(running) - set(movable))]
        return [self._part(view, domain, live, pieces, room) for domain in self._domains(live)], fixed

    def _domains(self, live: list[int]) -> list[int]:
        return sorted({self._home[job] for job in live if job in self._home})

    def _part(self, view: View, domain: int, live: list[int], pieces: dict[int, Pieces], room: Ints) -> EqualGpus:
        jobs = [job for job in live if self._home.get(job) == domain]
        own = np.where(view.nodes.domain == domain, room, 0)
        return EqualGpus(domain, jobs, own, {job: pieces[job] for job in jobs if job in pieces})

    def _settle(self, view: View, live: list[int], pieces: dict[int, Pieces], promised: Collection[int]) -> None:
        self._home = {job: self._home[job] for job in live if job in promised and job in self._home}
        for job in live:
            if job in pieces:
                self._home[job] = int(view.nodes.domain[pieces[job][0][0]])
        smallest = view.gang if self._whole else view.gang_min
        asked = np.zeros(len(view.nodes.domain_speed))
        for job, domain in self._home.items():
            asked[domain] += smallest[job]
        for job in live:
            found = None if job in self._home else _emptiest(view, job, int(smallest[job]), asked)
            if found is not None:
                self._home[job] = found
                asked[found] += smallest[job]


def _emptiest(view: View, job: int, smallest: int, asked: Floats) -> int | None:
    """The permitted domain with the fewest GPUs asked for among its own; None where the smallest gang fits nowhere."""
    gpus = view.nodes.domain_gpus()
    able = np.flatnonzero((gpus >= smallest) & (view.rates(job)[:, :, smallest].max(axis=1) > 0))
    return min(able.tolist(), key=lambda domain: asked[domain] / gpus[domain], default=None)


def begin_small(view: View, part: EqualGpus) -> list[Target]:
    """Who runs goes on; jobs that wait get their smallest gang, if it is free on one node."""
    room = part.room.copy()
    for node, gpus in (piece for pieces in part.held.values() for piece in pieces):
        room[node] -= gpus
    new = {job: int(view.gang_min[job]) for job in part.jobs if job not in part.held}
    placed = {job: pieces for job, pieces in place_blocks(new, {}, room).items() if len(pieces) == 1}
    return [Target(job, sum(g for _, g in pieces), pieces=pieces) for job, pieces in (part.held | placed).items()]


def close_rates(view: View, job: int, domain: int, counts: Ints) -> Floats:
    """(counts,) rate of a job with its GPUs in a domain as close together as they can be; 0 GPUs have none."""
    rates: Floats = view.rates(job)[domain][close_levels(view, domain, counts), counts]
    return rates


def close_levels(view: View, domain: int, counts: Ints) -> Ints:
    """(counts,) levels. Beyond one node that is over racks, if there are several: promises hold wherever nodes are."""
    level = nearest_level(counts, view.nodes.domain_wiring[domain])
    return np.where(level >= RACK, far_level(view, domain), level)


def far_level(view: View, domain: int) -> int:
    """The worst level that nodes of a domain can have."""
    racks = view.nodes.rack[view.nodes.domain == domain]
    return RACK if racks.min() == racks.max() else CLUSTER


def ladders(view: View, jobs: list[int], gpus: int) -> Ints:
    """(jobs, levels) GPU counts of each job: powers of two in its range, or the gang asked for where there is none.

    None is above `gpus`; a row ends with zeros.
    """
    rows = [[n for n in ladder(min(int(view.gang_max[job]), gpus)) if n >= view.gang_min[job]] for job in jobs]
    asked = [[int(view.gang[job])] if view.gang[job] <= gpus else [] for job in jobs]
    return _table([row or only for row, only in zip(rows, asked, strict=True)])


def whole_ladders(view: View, jobs: list[int], gpus: int) -> Ints:
    """As `ladders`, with every count in the range of a job."""
    return _table([list(range(int(view.gang_min[job]), min(int(view.gang_max[job]), gpus) + 1)) for job in jobs])


def _table(rows: list[list[int]]) -> Ints:
    table = np.zeros((len(rows), max([1, *map(len, rows)])), np.int64)
    for row, counts in zip(table, rows, strict=True):
        row[: len(counts)] = counts
    return table
