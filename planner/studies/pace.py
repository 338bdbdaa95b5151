"""How long runs take, from how long such runs took: a range, or nothing where there is too little to go by."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, QuerySet, Sum

from planner.studies.models import Run
from planner.studies.runs.presence import workforce

OPEN = (Run.State.QUEUED, Run.State.RUNNING)
_ENOUGH = 2  # finished runs of a kind before anything is said
_REMEMBERED = 300  # newest finished runs that are looked at
_SPREAD = 2.0  # standard deviations to each side: about 95 % of sums


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of compute of a finished run of one kind."""

    runs: int
    mean_s: float
    sd_s: float

    @classmethod
    def of(cls, seconds: list[float]) -> Pace:
        mean = math.fsum(seconds) / len(seconds)
        square = math.fsum((s - mean) ** 2 for s in seconds)
        return cls(len(seconds), mean, math.sqrt(square / max(1, len(seconds) - 1)))

    def uncertainty_s(self, runs: float) -> float:
        """Half width for the sum of so many further runs: their own spread, and that of the mean."""
        return _SPREAD * self.sd_s * math.sqrt(runs + runs * runs / self.runs)


def paces(done: QuerySet[Run]) -> dict[str, Pace]:
    """Pace of each training system among these runs; "" is that of all of them. Kinds seen once only are left out."""
    rows = done.filter(result__isnull=False).order_by("-finished_at")
    by_system: dict[str, list[float]] = defaultdict(list)
    for system, seconds in rows.values_list("scenario__spec__training__system", "result__compute_s")[:_REMEMBERED]:
        by_system[system].append(seconds)
        by_system[""].append(seconds)
    return {system: Pace.of(seconds) for system, seconds in by_system.items() if len(seconds) >= _ENOUGH}


def takes_s(work: Mapping[str, float], known: Mapping[str, Pace], slots: int) -> tuple[float, float] | None:
    """Range of the seconds that `work` (runs by training system) takes on so many slots; None: unsure."""
    if not any(work.values()):
        return 0.0, 0.0
    parts = [(runs, known.get(system) or known.get("")) for system, runs in work.items() if runs]
    if not slots or any(pace is None for _, pace in parts):
        return None
    mean = math.fsum(runs * pace.mean_s for runs, pace in parts if pace)
    half = math.hypot(*(pace.uncertainty_s(runs) for runs, pace in parts if pace))
    longest = max(pace.mean_s for _, pace in parts if pace)  # no more slots help than there are runs
    return max(0.0, mean - half) / slots, max((mean + half) / slots, longest)


def slots_alive() -> int:
    """Runs that the living workers do at once."""
    return workforce().slots


def work_left(runs: QuerySet[Run]) -> dict[str, float]:
    """Runs by training system that are open among these, those at work by the part that is left of them."""
    by_system = runs.filter(state__in=OPEN).order_by().values_list("scenario__spec__training__system")
    return {system: count - parts for system, count, parts in by_system.annotate(Count("pk"), Sum("progress"))}
