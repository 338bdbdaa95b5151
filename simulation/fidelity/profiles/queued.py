"""The order of discretised queues kept as lists; see `queues` for what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.fidelity.profiles.listed import Listed, renew
from simulation.fidelity.profiles.queues import (
    CEILING_OF_LIMIT,
    FLOOR_OF_SECONDS,
    Rules,
    deal,
    look,
    make_queues,
    next_look_s,
    sort_queues,
    to_tails,
)
from simulation.mechanisms.gittins import gittins_table, index_at
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.sequence import Sequence

JUMPS = {"floor-of-seconds": FLOOR_OF_SECONDS, "ceiling-of-limit": CEILING_OF_LIMIT}


@dataclass(frozen=True)
class QueuedLists(Ordering):
    """Least attained service in queues that are lists."""

    member: ClassVar[str] = "queued-lists"
    limits_s: tuple[float, ...] = parameter(
        (3250.0, 7200.0), "service at which a job leaves each queue but the last", unit="s or GPU-s", low=0.0, high=1e9,
        source="SymbioticLab/Tiresias, simulator",
    )  # fmt: skip
    service: str = parameter("gpu-time", "what is counted", choices=("time", "gpu-time"))
    promote: float = parameter(
        0.0, "a job returns to the first queue once it waited this many times what it ran; 0: never",
        unit="waiting/run", low=0.0, high=1e6,
    )  # fmt: skip
    jump: str = parameter("floor-of-seconds", "how the next demotion is foretold", choices=tuple(JUMPS))
    gittins_gpu_s: tuple[float, ...] = parameter(
        (), "sample of the GPU-time of jobs, ascending, by which queues are ordered; none: by arrival", unit="GPU-s",
        low=0.0, high=1e12,
    )  # fmt: skip
    delta_gpu_s: float = parameter(
        3250.0, "service that the Gittins index looks ahead", unit="GPU-s", low=1.0, high=1e9
    )

    def begin(self, view: View) -> Sequence:
        return QueuedSequence(view, self)


class QueuedSequence(Listed):
    """Finished jobs leave; running ones to the front of their queue; new ones in; the look; by rank if there is one."""

    def __init__(self, view: View, settings: QueuedLists) -> None:
        super().__init__(view)
        jobs = len(view.submit_s)
        self._queues = make_queues(jobs)
        self._rules = Rules(
            np.array(settings.limits_s), settings.service == "gpu-time", settings.promote, JUMPS[settings.jump]
        )
        self._levels = len(settings.limits_s) + 1
        self._moved, self._pile, self._last = (np.zeros(jobs + 1, np.int64) for _ in range(3))
        self._sample = np.array(settings.gittins_gpu_s)
        self._table = gittins_table(self._sample, settings.delta_gpu_s, whole_expectation=True)
        self._rank = np.zeros(jobs)

    def refresh(self, view: View, news: News) -> None:
        s, roster, queues = view.ledger, self.roster, self._queues
        renew(s, roster, news.waiting)
        deal(s, roster, queues, self._levels, True, self._pile)
        moved = look(s, roster, queues, self._rules, view.now_s, self._moved)
        to_tails(roster, self._moved, moved, self._last)
        deal(s, roster, queues, self._levels, False, self._pile)
        if len(self._sample):
            changed = np.concatenate([view.running, news.waiting])
            self._rank[changed] = index_at(self._sample, self._table, view.attained_gpu_s(changed))
            sort_queues(s, roster, queues, self._rank)

    def wake_s(self, view: View) -> float:
        return next_look_s(view.ledger, self.roster, self._queues, self._rules, view.now_s)
