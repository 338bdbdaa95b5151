"""A forecast of busy nodes by the time of day."""

from __future__ import annotations

from collections import deque

DAYS = 7  # how far back a forecast looks


class DailyForecast:
    """Busy nodes step by step; the forecast of a step is its mean over the last days at the same time of day."""

    def __init__(self, steps_a_day: int) -> None:
        self._day = steps_a_day
        self._busy: deque[float] = deque(maxlen=DAYS * steps_a_day)

    def see(self, busy: float) -> None:
        """Take in the step that has just ended."""
        self._busy.append(busy)

    def past(self, steps: int) -> float | None:
        """Mean of the last `steps`; None before anything was seen."""
        recent = list(self._busy)[-steps:]
        return sum(recent) / len(recent) if recent else None

    def ahead(self, steps: int) -> float | None:
        """Mean over the next `steps`; None while no day has been seen in full."""
        known = len(self._busy)
        if known < self._day:
            return None
        means = [self._same_time(known, step % self._day) for step in range(steps)]
        return sum(means) / steps

    def _same_time(self, known: int, step: int) -> float:
        """Mean of the steps that lie whole days before the one that comes `step` steps after the last seen."""
        before = range(known + step - self._day, -1, -self._day)
        values = [self._busy[at] for at in before]
        return sum(values) / len(values)
