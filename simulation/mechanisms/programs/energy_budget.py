"""GPUs and clocks under an energy budget: upgrades by how much sooner a job ends for how much more energy.

A configuration is (level of the job's ladder of GPU counts, step of the ladder of clocks).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulation.records import Floats, Ints

Configuration = tuple[int, int]


class Offers(NamedTuple):
    """What each configuration means for the work that a job has left; inf where it cannot have it."""

    left_s: Floats  # (jobs, levels, clocks) time to the end
    energy_j: Floats  # (jobs, levels, clocks) energy to the end
    counts: Ints  # (jobs, levels) GPUs, ascending


class Upgrade(NamedTuple):
    """Sorts as it is taken: the highest priority, then the sooner end, then the first job."""

    negated_priority: float
    left_s: float
    job: int
    following: Configuration
    now: Configuration  # what the job had when this was thought of


def configurations(offers: Offers, gpus: int, budget_j: float, skip: bool) -> dict[int, Configuration]:
    """The configuration of each job that runs. Energy adds up to `budget_j` at most, but one job runs in any case.

    skip: an upgrade too dear for what is left of the budget is passed over; else it ends the search.
    """
    chosen = _start(offers, gpus, budget_j)
    spare = gpus - sum(int(offers.counts[job, level]) for job, (level, _) in chosen.items())
    left_j = budget_j - sum(float(offers.energy_j[job][now]) for job, now in chosen.items())
    queue = [upgrade for job, now in chosen.items() for upgrade in _upgrades(offers, job, now)]
    heapq.heapify(queue)
    while queue:
        _, _, job, following, now = heapq.heappop(queue)
        more = int(offers.counts[job, following[0]] - offers.counts[job, now[0]])
        if chosen[job] != now or more > spare:
            continue
        dearer_j = float(offers.energy_j[job][following] - offers.energy_j[job][now])
        if dearer_j <= left_j:
            chosen[job], spare, left_j = following, spare - more, left_j - dearer_j
            for upgrade in _upgrades(offers, job, following):
                heapq.heappush(queue, upgrade)
        elif not skip:
            break
    return chosen


def _start(offers: Offers, gpus: int, budget_j: float) -> dict[int, Configuration]:
    """The fewest GPUs at the clock of least energy, the job that then ends first first, until one does not fit."""
    smallest = {job: _thriftiest(offers, job) for job in range(len(offers.left_s))}
    chosen: dict[int, Configuration] = {}
    for job in sorted(smallest, key=lambda job: (offers.left_s[job][smallest[job]], job)):
        gpus -= int(offers.counts[job, smallest[job][0]])
        budget_j -= float(offers.energy_j[job][smallest[job]])
        if not np.isfinite(offers.left_s[job][smallest[job]]) or gpus < 0 or (chosen and budget_j < 0):
            break
        chosen[job] = smallest[job]
    return chosen


def _thriftiest(offers: Offers, job: int) -> Configuration:
    level = int(np.argmax(np.isfinite(offers.left_s[job]).any(axis=1)))
    return level, int(np.argmin(offers.energy_j[job, level]))


def _upgrades(offers: Offers, job: int, now: Configuration) -> Iterator[Upgrade]:
    """The best clock of the next level, and the next clock of this one, as far as the job ends sooner by them."""
    level, clock = now
    levels, clocks = offers.left_s.shape[1:]
    if level + 1 < levels:
        found = [u for c in range(clocks) if (u := _upgrade(offers, job, now, (level + 1, c)))]
        yield from sorted(found)[:1]
    if clock + 1 < clocks and (higher := _upgrade(offers, job, now, (level, clock + 1))):
        yield higher


def _upgrade(offers: Offers, job: int, now: Configuration, following: Configuration) -> Upgrade | None:
    """Relative fall of the time to the end over relative rise of energy; None where the end does not come sooner."""
    before_s, after_s = float(offers.left_s[job][now]), float(offers.left_s[job][following])
    if not after_s < before_s:
        return None
    sooner = (before_s - after_s) / before_s
    dearer = float(offers.energy_j[job][following] / offers.energy_j[job][now]) - 1.0
    return Upgrade(-sooner / dearer if dearer > 0 else -np.inf, after_s, job, following, now)
