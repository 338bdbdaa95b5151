"""What a log itself measured: queue delays and completion times, to hold a simulated baseline against."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simulation.formats.tables import Table

SMALL_SAMPLE = 100


@dataclass(frozen=True, slots=True)
class Spread:
    """Distribution of n values, seconds; percentiles by linear interpolation. None where n is 0."""

    n: int
    mean: float | None
    p50: float | None
    p90: float | None
    p95: float | None
    p99: float | None
    max: float | None

    def document(self) -> dict[str, float | None] | None:
        """n, mean and percentiles under names with their unit; None where there is nothing to tell."""
        spans = (self.mean, self.p50, self.p90, self.p95, self.p99, self.max)
        names = ("mean_s", "p50_s", "p90_s", "p95_s", "p99_s", "max_s")
        return {"n": self.n, **dict(zip(names, spans, strict=True))} if self.n else None

    @property
    def small_sample(self) -> bool:
        """Too few values to trust the tail."""
        return self.n < SMALL_SAMPLE


@dataclass(frozen=True, slots=True)
class Measured:
    """Queue delay (first start - submission) and completion time (end - submission) of the GPU jobs of a log.

    `unknown_waits`: GPU jobs that started but whose delay is not known (no start, or a start before submission);
    `not_started` and `not_ended`: those that a mean over the others hides.
    """

    wait: Spread
    jct: Spread
    unknown_waits: int
    not_started: int
    not_ended: int


def measured_waits(table: Table, rows: Iterable[int] | None = None) -> Measured:
    """Measure jobs that use GPUs (known to, whole or shared). A log without starts gives n = 0, never zeros.

    `rows`: only these, such as the jobs that a simulation replays: both means are then over the same jobs.
    """
    waits: list[float] = []
    completions: list[float] = []
    unknown = not_started = not_ended = 0
    for row in table.rows() if rows is None else map(table.row, rows):
        if not row["gpus"]:
            continue
        submit, start, end = row["submit_s"], row["start_s"], row["end_s"]
        if row["outcome"] == "waiting" or row["attempts"] == 0:
            not_started += 1
            continue
        if submit is None or start is None or start < submit:
            unknown += 1
        else:
            waits.append(start - submit)
        if end is None or submit is None:
            not_ended += 1
        else:
            completions.append(end - submit)
    return Measured(spread(waits), spread(completions), unknown, not_started, not_ended)


def spread(values: Sequence[float]) -> Spread:
    """Mean and percentiles of `values`, in any order."""
    if not values:
        return Spread(0, None, None, None, None, None, None)
    ordered = sorted(values)
    p50, p90, p95, p99 = (quantile(ordered, q) for q in (0.5, 0.9, 0.95, 0.99))
    return Spread(len(ordered), math.fsum(ordered) / len(ordered), p50, p90, p95, p99, ordered[-1])


def quantile(ordered: list[float], q: float) -> float:
    """The q-quantile of sorted values, by linear interpolation between neighbours (type 7)."""
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
