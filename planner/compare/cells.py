"""Numbers of a comparison: a mean over seeds with its interval, and a paired difference to the baseline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from simulation.provenance import Origin, weakest

_ORIGINS = {origin.value: origin for origin in Origin}  # looked up for every number of a board
Samples = Mapping[int, float | None]  # seed -> value of one metric; None is unknown


@dataclass(frozen=True, slots=True)
class Difference:
    """Scenario minus baseline over the seeds that both have, seed by seed.

    `shown` is True only where the interval leaves out zero (or both sides are exact and differ); an arrow is drawn
    then and only then. With fewer than two common seeds nothing can be shown, and `words` says so.
    """

    absolute: float | None
    low: float | None
    high: float | None
    relative: float | None  # absolute / baseline's mean over the same seeds; None where that is 0
    shown: bool
    words: str  # what stands in the cell where there is no arrow; "" where `shown`
    seeds: int  # common seeds


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one scenario over its finished seeds.

    `value` None is unknown and `note` says why; it is never 0. `low` and `high` are None with one seed ("1 seed").
    """

    value: float | None
    unit: str
    low: float | None
    high: float | None
    method: str  # "mean of 10 seeds, 95 % t interval" | "exact: equal in all 10 seeds" | "1 seed"
    seeds: int
    origin: Origin
    inputs: tuple[str, ...] = ()
    note: str = ""
    difference: Difference | None = None

    @property
    def half_width(self) -> float | None:
        return None if self.high is None or self.low is None else (self.high - self.low) / 2

    def against(self, difference: Difference | None) -> Cell:
        return replace(self, difference=difference)


@dataclass(frozen=True, slots=True)
class Entry:
    """One metric of one result, as the engine reported it."""

    value: float | None
    unit: str
    origin: Origin
    inputs: tuple[str, ...]
    note: str

    @classmethod
    def of(cls, reported: Mapping[str, object]) -> Entry:
        """A value that is not a finite number is unknown, and the note says so."""
        value, note = reported["value"], str(reported.get("note") or "")
        if not isinstance(value, int | float) or not math.isfinite(value):
            note = note or ("not known" if value is None else f"not a finite number ({value})")
            value = None
        inputs = reported.get("inputs") or ()
        return cls(value, str(reported["unit"]), _ORIGINS[str(reported["origin"])], tuple(inputs), note)  # type: ignore[arg-type]


def cell_of(entries: Mapping[int, Entry]) -> Cell:
    """The mean of one metric over seeds. Where a seed's value is unknown the mean is unknown too."""
    from simulation.statistics.intervals import estimate  # scipy: loaded by comparisons, not by every page

    first = next(iter(entries.values()))
    unknown = sum(e.value is None for e in entries.values())
    found = estimate([] if unknown else [e.value for e in entries.values()])
    return Cell(
        value=found.mean,
        unit=first.unit,
        low=found.low,
        high=found.high,
        method="unknown" if unknown else found.method,
        seeds=len(entries),
        origin=weakest(e.origin for e in entries.values()),
        inputs=first.inputs,
        note=_note(entries, unknown),
    )


def _note(entries: Mapping[int, Entry], unknown: int) -> str:
    """The engine's own words, with the number of seeds where only some of them are concerned."""
    if unknown and unknown < len(entries):
        missing = next(e.note for e in entries.values() if e.value is None)
        return f"unknown in {unknown} of {len(entries)} seeds: {missing}"
    return next((e.note for e in entries.values() if e.note), "")


def difference_of(ours: Samples, theirs: Samples) -> Difference:
    """`ours` minus `theirs`, paired by seed (both ran on the same inputs, so their common luck cancels)."""
    from simulation.statistics.comparison import NOTHING_SHOWN, compare

    found = compare(ours, theirs)
    words = NOTHING_SHOWN if found.exact and not found.shown else found.words
    return Difference(found.difference, found.low, found.high, found.relative, found.shown, words, found.n)
