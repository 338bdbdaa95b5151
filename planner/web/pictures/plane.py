"""Axes of a picture: where a value lies, and which ticks stand along it. Read from a figure's Plotly layout."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from planner.web.figures.axes import log_ticks
from planner.web.figures.figure import Json

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 8


@dataclass(frozen=True, slots=True)
class Axis:
    """From `start` to `end` in pixels. `low` and `high` are as Plotly has a range: exponents on a log axis, places of
    categories on a list of names."""

    start: float
    end: float
    low: float
    high: float
    log: bool
    names: tuple[str, ...]
    layout: Json

    def place(self, value: Any) -> float:
        """A value of a trace or shape as a number on the axis."""
        if isinstance(value, str):
            return float(self.names.index(value))
        return math.log10(value) if self.log else float(value)

    def pixel(self, place: float) -> float:
        return self.start + (self.end - self.start) * (place - self.low) / (self.high - self.low)

    def at(self, value: Any) -> float:
        return self.pixel(self.place(value))

    def holds(self, pixel: float) -> bool:
        return min(self.start, self.end) - 0.5 <= pixel <= max(self.start, self.end) + 0.5

    @property
    def title(self) -> str:
        return str((self.layout.get("title") or {}).get("text", ""))

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """(pixel, words), those that lie on the axis."""
        found = [(self.pixel(place), words) for place, words in self._ticks()]
        return [(pixel, words) for pixel, words in found if self.holds(pixel)]

    def _ticks(self) -> Iterable[tuple[float, str]]:
        values = self.layout.get("tickvals")
        if values is not None:
            words = self.layout.get("ticktext") or [f"{v:,.10g}" for v in values]
            return [(self.place(v), str(w)) for v, w in zip(values, words, strict=True)]
        if self.names:
            return [(float(i), name) for i, name in enumerate(self.names)]
        low, high = sorted((self.low, self.high))
        if self.log:
            return [(math.log10(v), f"{v:,.10g}") for v in log_ticks(10**low, 10**high)]
        return [(v, f"{v:,.10g}".replace("-", "−")) for v in round_ticks(low, high)]


def round_ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """Round numbers between `low` and `high`, at most about `most` of them."""
    rough = (high - low) / most
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(m * size for m in _ROUND if m * size >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def axis_of(layout: Json, values: Sequence[Any], start: float, end: float, *, bars: bool) -> Axis:
    """`values` are those of all traces along this axis; with `bars` it begins at zero."""
    log = layout.get("type") == "log"
    named = any(isinstance(value, str) for value in values)
    names = tuple(dict.fromkeys(value for value in values if isinstance(value, str))) if named else ()
    low, high = layout.get("range") or (_all(names) if names else _around(values, log, bars))
    if layout.get("autorange") == "reversed":
        low, high = high, low
    return Axis(start, end, float(low), float(high), log, names, layout)


def _all(names: tuple[str, ...]) -> tuple[float, float]:
    return -0.5, len(names) - 0.5


def _around(values: Sequence[Any], log: bool, bars: bool) -> tuple[float, float]:
    known = [math.log10(v) if log else float(v) for v in values if v is not None and not (log and v <= 0)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = (high - low) * 0.05 or abs(high) * 0.1 or 1.0
    return (0.0 if bars and low >= 0 else low - room), high + room
