"""Limits as controls: a slider and a number box each, a rug of all scenarios above, the SLO as a tick."""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.compare.fronts import Front, Slider
from planner.web.numbers import Scale, scale_for
from planner.web.study_view import LIMIT

RUG = 244.0  # width of the rug's own coordinates; the slider's thumb is inset by its radius
INSET = 8.0
STEPS = 200


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    survives: bool


@dataclass(frozen=True, slots=True)
class Control:
    """Positions and the submitted value are in the metric's own unit; the box shows the scale's."""

    name: str
    metric: str
    title: str
    unit: str
    sign: str
    chip: str
    wish: bool  # drawn dashed: no limit, or one that is a preference
    soft: bool
    low: float
    high: float
    step: float
    value: float
    shown: str  # in the box; "" is any
    factor: float
    open_end: float  # where the slider says "any"
    fill: float  # per cent of the track
    ticks: tuple[Tick, ...]
    slo: float | None


def controls(front: Front) -> list[Control]:
    return [_control(front, slider) for slider in front.sliders if slider.high > slider.low]


def _control(front: Front, slider: Slider) -> Control:
    scale = scale_for(slider.unit, [v for v, _ in slider.values])
    low, high, step = _round_range(slider, scale)
    at_least = slider.better == "higher"
    open_end = low if at_least else high
    limit = slider.limit
    value = min(max(limit.limit, low), high) if limit else open_end
    binds = limit is not None and value != open_end
    return Control(
        name=LIMIT + slider.metric,
        metric=slider.metric,
        title=slider.title,
        unit=scale.unit,
        sign="≥" if at_least else "≤",
        chip=_chip(slider),
        wish=limit is None or not limit.hard,
        soft=limit is not None and not limit.hard,
        low=low,
        high=high,
        step=step,
        value=value,
        shown=f"{scale.of(value):.6g}" if binds else "",
        factor=scale.factor,
        open_end=open_end,
        fill=100 * (value - low) / (high - low),
        ticks=tuple(Tick(_position(v, low, high), alive) for v, alive in sorted(slider.values, key=lambda p: p[1])),
        slo=_position(limit.limit, low, high) if limit and limit.from_slo and low <= limit.limit <= high else None,
    )


def _chip(slider: Slider) -> str:
    if slider.limit is None:
        return ""
    hardness = "hard" if slider.limit.hard else "preference"
    return f"{hardness} SLO" if slider.limit.from_slo else hardness


def _round_range(slider: Slider, scale: Scale) -> tuple[float, float, float]:
    """Ends and step at round numbers of the shown unit, so that the box has no long decimals."""
    low, high = scale.of(slider.low), scale.of(slider.high)
    raw = (high - low) / STEPS
    magnitude = 10.0 ** math.floor(math.log10(raw))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= raw)
    ends = math.floor(low / step) * step, math.ceil(high / step) * step
    return tuple(float(f"{v / scale.factor:.12g}") for v in (*ends, step))  # type: ignore[return-value]


def _position(value: float, low: float, high: float) -> float:
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return round(INSET + share * (RUG - 2 * INSET), 1)
