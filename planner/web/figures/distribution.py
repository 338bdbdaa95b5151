"""Distributions on a scale of nines: P50, P90, P95, P99 and P99.9 take equal steps, so the tail can be read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from planner.web.figures.axes import log_ticks
from planner.web.figures.figure import (
    DASHES,
    SYMBOLS,
    Figure,
    Json,
    Key,
    Source,
    axis,
    inert,
    line,
    listed,
    nothing,
    upright,
)
from planner.web.numbers import span
from simulation.provenance import Origin

NINES = (0.0, 0.5, 0.9, 0.95, 0.99, 0.999)
MARKED = (0.5, 0.95, 0.99)
_CLOCK = (0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 36_000.0, 360_000.0, 3_600_000.0)
_FINE = (
    *(m * 10.0**e for e in (-3, -2, -1, 0) for m in (1, 2, 5)), 10.0, 20.0, 30.0,
    60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0,
    *(h * 3600.0 for h in (1, 2, 4, 8, 12)), *(d * 86_400.0 for d in (1, 2, 4, 8, 16, 32, 64, 128)),
)  # fmt: skip
_TICKS = 8
_TOP = 0.9993  # end of the upright axis


@dataclass(frozen=True, slots=True)
class Curve:
    """One distribution: `points` are (quantile, seconds), `band` the lowest and highest over other seeds."""

    name: str
    color: str
    origin: Origin
    points: Sequence[Sequence[float]]
    n: int
    censored: int = 0
    band: Sequence[tuple[float, float, float]] = ()  # (quantile, low, high)
    main: bool = False
    joined: bool = True  # False: only these points are known, and no line is drawn through them


def distribution_figure(
    name: str, title: str, quantity: str, things: str, curves: Sequence[Curve],
    *, limit: tuple[float, float] | None = None,
) -> Figure:  # fmt: skip
    """`limit` is (quantile, seconds): the corner that an SLO asks the curve to pass on the left of."""
    drawn = [c for c in curves if any(v > 0 and q < 1 for q, v in c.points)]
    if not drawn:
        zero = any(c.points for c in curves)
        return nothing(name, title, f"all {things} have 0 s." if zero else f"there are no {things} to show.")
    low, high = _range(drawn, limit)
    data = [_band(c) for c in drawn if c.band] + [_line(c) for c in drawn if c.joined] + [_marks(c) for c in drawn]
    return Figure(
        name=name,
        title=title,
        summary=f"{quantity}, {len(drawn)} curve{'s' if len(drawn) > 1 else ''}. " + " ".join(_said(c) for c in drawn),
        data=tuple(data),
        layout={
            "margin": {"l": 52, "r": 20, "t": 32, "b": 46},
            "shapes": _corner(limit, low),
            "annotations": [upright(f"Share of {things} within (%)", -48)],
            "xaxis": axis(quantity, type="log", range=[math.log10(low), math.log10(high)], **_clock(low, high)),
            "yaxis": axis(
                type="log", range=[0, math.log10(1 - _TOP)], tickvals=[1 - q for q in NINES],
                ticktext=[f"{100 * q:g} " for q in NINES],
            ),
        },
        labels=_labels(drawn, limit),
        head=("Percentile", *(c.name for c in drawn)),
        rows=tuple((f"P{100 * q:g}", *(span(at(c, q)) for c in drawn)) for q in NINES[1:]),
        sources=_sources(drawn, things),
        key=tuple(_key(c) for c in drawn),
    )  # fmt: skip


def _key(curve: Curve) -> Key:
    named = f"{curve.name}, {curve.origin.letter} {curve.origin}"
    dash = DASHES[curve.origin] if curve.joined else ""
    return Key(named, curve.color, dash, 2.25 if curve.main else 1.5, curve.origin.letter)


def at(curve: Curve, q: float) -> float | None:
    """The value at quantile `q`, interpolated where the points are joined; None beyond the ends of the curve."""
    points = sorted(curve.points)
    if not curve.joined:
        return next((v for at_q, v in points if at_q == q), None)
    for (a, va), (b, vb) in pairwise(points):
        if a <= q <= b:
            return va + (vb - va) * (q - a) / (b - a) if b > a else va
    return None


def banded(curves: Iterable[Sequence[Sequence[float]]]) -> list[tuple[float, float, float]]:
    """Lowest and highest value at each quantile over several curves with one set of quantiles."""
    by_q: dict[float, list[float]] = {}
    for points in curves:
        for q, v in points:
            by_q.setdefault(q, []).append(v)
    return [(q, min(vs), max(vs)) for q, vs in sorted(by_q.items()) if len(vs) > 1]


def _places(points: Iterable[Sequence[float]]) -> list[tuple[float, float]]:
    """(seconds, share that takes longer) of what a log axis can show."""
    return [(v, 1 - q) for q, v in points if v > 0 and q <= _TOP]


def _range(curves: Sequence[Curve], limit: tuple[float, float] | None) -> tuple[float, float]:
    values = [v for c in curves for v, _ in _places(c.points)] + ([limit[1]] if limit else [])
    low, high = min(values), max(values)
    low = max(low, high / 1e6)  # a few very short ones must not push everything to the right
    room = max((high / low) ** 0.05, 1.15)
    return low / room, high * room


def _clock(low: float, high: float) -> Json:
    ticks = [t for t in _CLOCK if low <= t <= high]
    if len(ticks) < 4:
        ticks = _thinned([t for t in _FINE if low <= t <= high], high / low)
    if len(ticks) < 2:
        ticks = log_ticks(low, high)
    return {"tickvals": ticks, "ticktext": [_tick(t) for t in ticks]}


def _thinned(ticks: list[float], wide: float) -> list[float]:
    """Those that leave room for their words: none nearer to the last than an eighth of the axis."""
    kept: list[float] = []
    for tick in ticks:
        if not kept or tick / kept[-1] >= wide ** (1 / _TICKS):
            kept.append(tick)
    return kept


def _tick(seconds: float) -> str:
    """Round instants on an axis: 1 min and 1 h rather than 60 s and 60 min."""
    for unit, size in (("d", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size and seconds % size == 0 and (unit != "d" or seconds >= 2 * size):
            return f"{seconds / size:g} {unit}"
    return span(seconds)


def _line(curve: Curve) -> Json:
    places = _places(curve.points)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [v for v, _ in places],
        "y": [s for _, s in places],
        "line": {"color": f"@{curve.color}", "width": 2.25 if curve.main else 1.5, "dash": DASHES[curve.origin]},
        "text": [f"{100 * (1 - s):.4g} % within {span(v)}" for v, s in places],
        "hovertemplate": f"{inert(curve.name)}<br>%{{text}}<extra></extra>",
    }


def _band(curve: Curve) -> Json:
    low = _places((q, a) for q, a, _ in curve.band)
    high = _places((q, b) for q, _, b in curve.band)
    loop = [*low, *reversed(high)]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [v for v, _ in loop],
        "y": [s for _, s in loop],
        "fill": "toself",
        "fillcolor": f"@{curve.color}/.16",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _marked(curve: Curve) -> list[tuple[float, float]]:
    if not curve.joined:
        return _places(curve.points)
    return [(v, 1 - q) for q in MARKED if (v := at(curve, q)) is not None and v > 0]


def _marks(curve: Curve) -> Json:
    places = _marked(curve)
    marker = {"symbol": SYMBOLS[curve.origin], "size": 9, "color": f"@{curve.color}", "line": {"width": 2}}
    xs, ys = [v for v, _ in places], [s for _, s in places]
    trace = {"type": "scatter", "mode": "markers", "x": xs, "y": ys, "marker": marker, "hoverinfo": "skip"}
    if curve.joined:
        return trace
    told = {"text": [f"P{100 * (1 - s):g}: {span(v)}" for v, s in places], "hoverinfo": "text"}
    return trace | told | {"hovertemplate": f"{inert(curve.name)}<br>%{{text}}<extra></extra>"}


def _corner(limit: tuple[float, float] | None, low: float) -> list[Json]:
    if limit is None:
        return []
    q, value = limit
    return [line(value, 1, value, 1 - q, "@ink"), line(low, 1 - q, value, 1 - q, "@ink")]


def _labels(curves: Sequence[Curve], limit: tuple[float, float] | None) -> Json:
    wanted = [
        {"text": span(v), "x": v, "y": s, "bold": c.main, "color": "@ink" if c.main else "@ink2"}
        for c in curves
        for v, s in _marked(c)
    ]
    wishes: Json = {
        "wanted": wanted,
        "marks": [[w["x"], w["y"], 6] for w in wanted],
        "lines": [_places(c.points) for c in curves if c.joined],
    }
    if limit:
        wishes["level"] = [{"text": f"SLO: {100 * limit[0]:g} % within {span(limit[1])}", "y": 1 - limit[0]}]
    return wishes


def _said(curve: Curve) -> str:
    return f"{curve.name} at P95: {span(at(curve, 0.95))}."


def _sources(curves: Sequence[Curve], things: str) -> tuple[Source, ...]:
    first = curves[0]
    bounds = f"; {first.censored:,} unfinished ones count as lower bounds" if first.censored else ""
    band = " Band: lowest and highest over the other seeds." if first.band else ""
    text = f"n = {first.n:,} {things}{bounds}.{band} Scale of nines: each step upwards is a rarer one."
    return (Source(first.origin, text), *(_points_said(c, things) for c in curves if not c.joined))


def _points_said(curve: Curve, things: str) -> Source:
    at_zero = [f"P{100 * q:g}" for q, v in curve.points if v <= 0]
    zero = f" {listed(at_zero)} {'is' if len(at_zero) == 1 else 'are'} 0 s, off this axis." if at_zero else ""
    text = f"{curve.name}, n = {curve.n:,} {things}: single points beside the curves, never joined or ranked.{zero}"
    return Source(curve.origin, text)


def distribution(document: dict[str, Any], name: str) -> dict[str, Any]:
    """One distribution of a result document; empty where the run has none of it."""
    found: dict[str, Any] = document.get("distributions", {}).get(name) or {}
    return found
