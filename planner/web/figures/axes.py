"""Axes: the unit that suits the values, linear or logarithmic, range with air, ticks at round numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from planner.web.figures.figure import Json, axis
from planner.web.numbers import Scale, scale_for

WIDE = 8.0  # largest over smallest from which an axis is logarithmic
AIR = 0.06


@dataclass(frozen=True, slots=True)
class Ruler:
    """One axis: how values become positions. Positions are values in the scale's unit."""

    title: str
    scale: Scale
    log: bool
    low: float
    high: float

    def of(self, value: float) -> float:
        return self.scale.of(value)

    def share(self, position: float) -> float:
        """Where `position` lies between the ends of the axis, 0..1."""
        if self.log:
            return math.log(position / self.low) / math.log(self.high / self.low)
        return (position - self.low) / (self.high - self.low)

    @property
    def name(self) -> str:
        inner = ", ".join(part for part in (self.scale.unit, "log" if self.log else "") if part)
        return f"{self.title} ({inner})" if inner else self.title

    def layout(self, *, titled: bool, **more: Any) -> Json:
        span = [math.log10(self.low), math.log10(self.high)] if self.log else [self.low, self.high]
        ticks = log_ticks(self.low, self.high) if self.log else []
        marked: Json = {"tickvals": ticks, "ticktext": [_tick(t) for t in ticks]} if ticks else {"nticks": 8}
        kind = "log" if self.log else "linear"
        return axis(self.name if titled else "", range=span, type=kind, separatethousands=True, **marked, **more)


def ruler(title: str, unit: str, values: Iterable[float], limits: Iterable[float] = ()) -> Ruler:
    """The axis for `values` (in `unit`), wide enough for near `limits` too."""
    known = list(values)
    scale = scale_for(unit, known)
    shown = [scale.of(v) for v in known] or [0.0, 1.0]
    low, high = min(shown), max(shown)
    near = [scale.of(v) for v in limits if low - (high - low) <= scale.of(v) <= high + (high - low) and high > low]
    low, high = min([low, *near]), max([high, *near])
    log = low > 0 and high / low > WIDE
    if log:
        room = (high / low) ** AIR
        return Ruler(title, scale, True, low / room, high * room)
    room = (high - low) * AIR or abs(high) * 0.1 or 1.0
    return Ruler(title, scale, False, low - room, high + room)


def log_ticks(low: float, high: float) -> list[float]:
    """Round numbers between `low` and `high`; more of them where the axis is short."""
    decades = math.log10(high / low)
    steps = (1, 1.5, 2, 3, 4, 5, 7) if decades < 1.1 else (1, 2, 5) if decades < 3.2 else (1,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [m * 10.0**e for e in range(first, last + 1) for m in steps]
    return [t for t in ticks if low <= t <= high]


def _tick(value: float) -> str:
    return f"{value:,.10g}"
