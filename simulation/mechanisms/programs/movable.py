"""What a program for unlike GPUs decides about: jobs that wait or may be moved, and the GPUs that are theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.view import View
from simulation.mechanisms.planning import Target
from simulation.records import Ints


@dataclass(frozen=True)
class Movable:
    """`fixed`: what jobs hold that must not be moved."""

    jobs: Ints  # in the order of arrival
    gpus: Ints  # (domains,) that are free or held by these jobs
    fixed: list[Target]


def movable(view: View, draft: Draft) -> Movable:
    running = sorted(view.running.tolist())
    fixed = [job for job in running if not view.preemptible[job]]
    room = draft.free.copy()
    free = [job for job in running if view.preemptible[job]]
    for job in free:
        for node, gpus in draft.pieces(job):
            room[node] += gpus
    of_domain = np.bincount(view.nodes.domain, weights=room, minlength=len(view.nodes.domain_speed))
    kept = [Target(job, int(view.held[job]), pieces=tuple(draft.pieces(job))) for job in fixed]
    return Movable(np.array(sorted([*free, *view.waiting.tolist()]), np.int64), of_domain.astype(np.int64), kept)
