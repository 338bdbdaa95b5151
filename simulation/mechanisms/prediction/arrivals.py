"""Forecast of the load: how many jobs will come in the next period, from the periods behind."""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

from scipy.special import gammaincinv

TAIL = 0.025


class Forecast(NamedTuple):
    """Jobs expected in a period, and the 95 % interval of the mean when arrivals are Poisson."""

    mean: float
    low: float
    high: float


class ArrivalForecast:
    """The mean number of arrivals over the last whole periods; before the first has passed, of the time so far."""

    def __init__(self, period_s: float, periods: int) -> None:
        self._period_s, self._periods = period_s, periods
        self._window_s = period_s * periods
        self._recent: deque[float] = deque()

    def arrived(self, now_s: float, jobs: int) -> None:
        """Take in `jobs` that have come at `now_s`; instants do not go back."""
        self._recent.extend([now_s] * jobs)

    def at(self, now_s: float) -> Forecast:
        """What the next period should bring; unknown, 0 to inf, at the very beginning."""
        while self._recent and self._recent[0] <= now_s - self._window_s:
            self._recent.popleft()
        seen = min(now_s, self._window_s) / self._period_s
        count = len(self._recent)
        if seen <= 0:
            return Forecast(math.nan, 0.0, math.inf)
        low = float(gammaincinv(count, TAIL)) if count else 0.0  # exact interval of a Poisson mean (Garwood)
        return Forecast(count / seen, low / seen, float(gammaincinv(count + 1, 1 - TAIL)) / seen)
