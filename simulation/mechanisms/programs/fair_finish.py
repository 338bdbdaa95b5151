"""When jobs would end on an equal part of the GPUs: estimates that are made again as jobs come and go, and averaged."""

from __future__ import annotations

from dataclasses import dataclass

MEAN_PART = 0.9  # of the mean of past estimates; the rest is the latest one


@dataclass
class _Estimates:
    """Of one job: the latest one, since when it holds, and the integral over time of those before it."""

    latest_s: float
    since_s: float
    from_s: float
    area: float = 0.0

    def renew(self, now_s: float, end_s: float) -> None:
        self.area += self.latest_s * (now_s - self.since_s)
        self.latest_s, self.since_s = end_s, now_s

    def fair_s(self, now_s: float) -> float:
        if now_s <= self.from_s:
            return self.latest_s
        mean_s = (self.area + self.latest_s * (now_s - self.since_s)) / (now_s - self.from_s)
        return MEAN_PART * mean_s + (1 - MEAN_PART) * self.latest_s


class FairFinishes:
    """Keeps the estimates of jobs."""

    def __init__(self) -> None:
        self._of: dict[int, _Estimates] = {}

    def estimate(self, job: int, now_s: float, end_s: float) -> None:
        """A new estimate of the instant at which a job would end."""
        if job in self._of:
            self._of[job].renew(now_s, end_s)
        else:
            self._of[job] = _Estimates(end_s, now_s, now_s)

    def fair_s(self, job: int, now_s: float) -> float:
        """Mean of its estimates over time, with a part of the latest one."""
        return self._of[job].fair_s(now_s)
