"""The Pareto front of a study: who is feasible, who is beaten, who is out, and the limits between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from planner.compare.cells import Cell
from planner.compare.columns import Column
from planner.compare.fronts import Front, Limit, Point, Status
from planner.web.figures.axes import Ruler, ruler
from planner.web.figures.figure import (
    CROSSED,
    SYMBOLS,
    Figure,
    Json,
    Source,
    corner,
    inert,
    line,
    nothing,
    tint,
    upright,
)
from simulation.provenance import Origin, weakest

_ARROWS = {("lower", "lower"): "↙", ("lower", "higher"): "↖", ("higher", "lower"): "↘", ("higher", "higher"): "↗"}
CLASSES = {Status.FRONT: "on the front", Status.DOMINATED: "dominated", Status.INFEASIBLE: "infeasible"}
FEW = 8  # so many points are all named
_SIZES = {Status.INFEASIBLE: 7, Status.DOMINATED: 8, Status.FRONT: 9}


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that can be drawn: both values are known."""

    point: Point
    x: Cell
    y: Cell

    @property
    def status(self) -> Status:
        return self.point.status

    @property
    def origin(self) -> Origin:
        """The weakest origin of both coordinates."""
        return weakest([self.x.origin, self.y.origin])

    @property
    def name(self) -> str:
        return f"{self.point.label} (base)" if self.point.is_base else self.point.label

    def at(self, x: Ruler, y: Ruler) -> tuple[float, float]:
        return x.of(self.x.value or 0.0), y.of(self.y.value or 0.0)


def spots(front: Front) -> list[Spot]:
    """The points of `front` that have a place, in its order."""
    return [
        Spot(p, p.x, p.y)
        for p in front.points
        if p.status in CLASSES and p.x and p.y and p.x.value is not None and p.y.value is not None
    ]


def front_figure(
    front: Front, *, hidden: Collection[str] = (), origins: Collection[str] | None = None, caption: str = ""
) -> Figure:
    """`hidden`: classes that are switched off; `origins`: origins that are shown (None: all)."""
    title = f"{front.counts['all']} scenarios: {front.y.title} against {front.x.title}"
    known = spots(front)
    points = [p for p in known if origins is None or p.origin in origins]
    if not points:
        return nothing("front", title, _why_empty(front, bool(known)), "tall")
    x, y = _rulers(front, points)
    shown = [p for p in points if p.status not in hidden]
    data = [trace for status in (Status.INFEASIBLE, Status.DOMINATED) if (trace := _marks(shown, status, x, y))]
    data += _crosses(shown, x, y)
    if Status.FRONT not in hidden:
        data += _front_traces(front, shown, x, y, complete=len(points) == len(known))
    data += _rings(front, shown, x, y)
    return Figure(
        name="front",
        title=title,
        summary=_summary(front, points, x, y),
        data=tuple(data),
        layout=_layout(front, x, y),
        labels=_labels(front, shown, x, y),
        head=("Scenario", y.name, x.name, "Origin", "Class", "Why"),
        rows=tuple(_row(p, x, y) for p in sorted(points, key=lambda p: p.at(x, y))),
        sources=_sources(points, caption),
        height="tall",
    )


def _why_empty(front: Front, hidden: bool) -> str:
    if hidden:
        return "No point has an origin that is switched on."
    reasons = sorted({p.why for p in front.points if p.status is Status.EXCLUDED and p.why})
    return reasons[0] if reasons else "No run has finished yet."


def _rulers(front: Front, points: list[Spot]) -> tuple[Ruler, Ruler]:
    whiskered = [p.status is Status.FRONT for p in points]
    return (
        _ruler(front, front.x, [p.x for p in points], whiskered),
        _ruler(front, front.y, [p.y for p in points], whiskered),
    )


def _ruler(front: Front, column: Column, cells: list[Cell], whiskered: list[bool]) -> Ruler:
    """Wide enough for values and near limits, and for whiskers as far as they do not squeeze the points together."""
    values = [c.value for c in cells if c.value is not None]
    low, high = min(values), max(values)
    floor, ceiling = low - (high - low) / 2, high + (high - low) / 2
    drawn = [c for c, has in zip(cells, whiskered, strict=True) if has]
    ends = [end for c in drawn for end in (c.low, c.high) if end is not None]
    reach = [min(max(end, floor), ceiling) for end in ends]
    positive = [end for end in reach if end > 0] if low > 0 else reach
    limits = [m.limit for m in front.limits if m.metric == column.name]
    return ruler(column.title, column.unit, [*values, *positive], limits)


def _marks(points: list[Spot], status: Status, x: Ruler, y: Ruler, **more: Any) -> Json | None:
    mine = [p for p in points if p.status is status]
    if not mine:
        return None
    out = status is Status.INFEASIBLE
    places = [p.at(x, y) for p in mine]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [a for a, _ in places],
        "y": [b for _, b in places],
        "customdata": [str(p.point.scenario_id) for p in mine],
        "text": [_tip(p, x, y) for p in mine],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {
            "size": [5 if p.x.seeds == 1 else _SIZES[status] for p in mine],
            "symbol": [CROSSED.get(p.origin, SYMBOLS[p.origin]) if out else SYMBOLS[p.origin] for p in mine],
            "color": ["@ink2" if status is Status.DOMINATED else f"@{p.origin}" for p in mine],
            "opacity": 0.8 if out else 0.85 if status is Status.DOMINATED else 1,
            "line": {"width": 0.75 if out else 2 if status is Status.FRONT else 1.5},
        },
        **more,
    }


def _crosses(points: list[Spot], x: Ruler, y: Ruler) -> list[Json]:
    """The cross of an infeasible triangle is a trace of its own: there is no crossed triangle among the symbols."""
    bare = [p.at(x, y) for p in points if p.status is Status.INFEASIBLE and p.origin not in CROSSED]
    if not bare:
        return []
    marker = {"symbol": "x-thin-open", "size": 6, "color": "@ink2", "opacity": 0.8, "line": {"width": 0.75}}
    xs, ys = [a for a, _ in bare], [b for _, b in bare]
    return [{"type": "scatter", "mode": "markers", "x": xs, "y": ys, "hoverinfo": "skip", "marker": marker}]


def _front_traces(front: Front, points: list[Spot], x: Ruler, y: Ruler, *, complete: bool) -> list[Json]:
    """The step line (only while every point is shown) and the points with whiskers."""
    mine = [p for p in points if p.status is Status.FRONT]
    traces: list[Json] = []
    if complete and len(front.line) > 1:
        xs, ys = [x.of(a) for a, _ in front.line], [y.of(b) for _, b in front.line]
        stroke = {"shape": "hv", "color": "@ink", "width": 1.25}
        traces.append({"type": "scatter", "mode": "lines", "x": xs, "y": ys, "line": stroke, "hoverinfo": "skip"})
    bars = {"error_x": _whiskers([p.x for p in mine], x), "error_y": _whiskers([p.y for p in mine], y)}
    marks = _marks(points, Status.FRONT, x, y, **bars)
    return [*traces, marks] if marks else traces


def _whiskers(cells: list[Cell], ruler: Ruler) -> Json:
    half = [ruler.scale.of(c.half_width or 0.0) for c in cells]
    return {"type": "data", "array": half, "color": "@ink2", "thickness": 1.25, "width": 3}


def _ringed(front: Front, points: list[Spot]) -> list[Spot]:
    picked = {p.scenario_id for p in front.picks}
    return [p for p in points if p.point.is_base or p.point.scenario_id in picked]


def _rings(front: Front, points: list[Spot], x: Ruler, y: Ruler) -> list[Json]:
    places = [p.at(x, y) for p in _ringed(front, points)]
    if not places:
        return []
    marker = {"symbol": "circle-open", "size": 17, "color": "@ink", "line": {"width": 1.5}}
    xs, ys = [a for a, _ in places], [b for _, b in places]
    return [{"type": "scatter", "mode": "markers", "x": xs, "y": ys, "hoverinfo": "skip", "marker": marker}]


def _limit_of(front: Front, metric: str) -> Limit | None:
    return next((limit for limit in front.limits if limit.metric == metric and limit.hard), None)


def _layout(front: Front, x: Ruler, y: Ruler) -> Json:
    shapes: list[Json] = []
    lx, ly = _limit_of(front, front.x.name), _limit_of(front, front.y.name)
    if ly is not None and y.low <= (at := y.of(ly.limit)) <= y.high:
        edge = y.low if front.y.better == "higher" else y.high
        shapes += [tint(x.low, at, x.high, edge), line(x.low, at, x.high, at, "@ink")]
    if lx is not None and x.low <= (at := x.of(lx.limit)) <= x.high:
        edge = x.low if front.x.better == "higher" else x.high
        shapes += [tint(at, y.low, edge, y.high), line(at, y.low, at, y.high, "@ink")]
    better = _ARROWS.get((front.x.better or "", front.y.better or ""))
    return {
        "margin": {"l": 52, "r": 12, "t": 32, "b": 46},
        "xaxis": x.layout(titled=True),
        "yaxis": y.layout(titled=False, ticksuffix=" "),
        "shapes": shapes,
        "annotations": [upright(y.name, -48), *([corner(f"{better} better", -48)] if better else [])],
    }


def _labels(front: Front, points: list[Spot], x: Ruler, y: Ruler) -> Json:
    """Wishes: names of the front, the base and the picks; names of limits on their lines; what they must not cover."""
    knee = front.knee.scenario_id if front.knee else None
    named = points if len(points) <= FEW else [p for p in points if p.status is Status.FRONT]
    named = [*named, *_ringed(front, points)]
    unique = {p.point.scenario_id: p for p in sorted(named, key=lambda p: p.point.scenario_id != knee)}
    lx, ly = _limit_of(front, front.x.name), _limit_of(front, front.y.name)
    radius = {Status.FRONT: 8, Status.DOMINATED: 4, Status.INFEASIBLE: 4}
    corners = [(x.of(a), y.of(b)) for a, b in front.line]
    return {
        "wanted": [
            dict(zip("xy", p.at(x, y), strict=True)) | {"text": inert(p.name), "bold": p.point.scenario_id == knee}
            for p in unique.values()
        ],
        "marks": [[*p.at(x, y), radius[p.status]] for p in points],
        "stairs": corners,
        "lines": [line for p in points if p.status is Status.FRONT for line in _reach(p, x, y)],
        "level": [{"text": _limit_name(ly, y), "y": y.of(ly.limit)}] if ly else [],
        "plumb": [{"text": _limit_name(lx, x), "x": x.of(lx.limit)}] if lx else [],
    }


def _reach(point: Spot, x: Ruler, y: Ruler) -> list[list[tuple[float, float]]]:
    """The whiskers of a point as lines, kept inside the axes."""
    px, py = point.at(x, y)
    lines = []
    if half := point.x.half_width:
        ends = (px - x.scale.of(half), px + x.scale.of(half))
        lines.append([(min(max(end, x.low), x.high), py) for end in ends])
    if half := point.y.half_width:
        ends = (py - y.scale.of(half), py + y.scale.of(half))
        lines.append([(px, min(max(end, y.low), y.high)) for end in ends])
    return lines


def _limit_name(limit: Limit, ruler: Ruler) -> str:
    sign = "≥" if limit.at_least else "≤"
    return f"hard: {limit.title} {sign} {ruler.scale.round(limit.limit)}"


def _tip(point: Spot, x: Ruler, y: Ruler) -> str:
    share = point.point.share
    often = f", on the front in {share[0]} of {share[1]}" if share else ""
    values = [f"{r.title} {_interval(c, r)} {r.scale.unit}" for c, r in ((point.y, y), (point.x, x))]
    seeds = f"{point.origin}, {point.x.seeds} seed{'' if point.x.seeds == 1 else 's'}{often}"
    return "<br>".join(
        [f"<b>{inert(point.name)}</b>", *values, seeds, *([inert(point.point.why)] if point.point.why else [])]
    )


def _interval(cell: Cell, ruler: Ruler) -> str:
    half = cell.half_width
    return ruler.scale.text(cell.value) + (f" ±{ruler.scale.text(half)}" if half else "")


def _row(point: Spot, x: Ruler, y: Ruler) -> tuple[str, ...]:
    values = (_interval(point.y, y), _interval(point.x, x))
    return (point.name, *values, str(point.origin), CLASSES[point.status], point.point.why)


def _summary(front: Front, points: list[Spot], x: Ruler, y: Ruler) -> str:
    n = {status: sum(p.status is status for p in points) for status in CLASSES}
    first = min((p for p in points if p.status is Status.FRONT), key=lambda p: p.at(x, y), default=None)
    best = f"{first.name}, {_interval(first.x, x)} {x.scale.unit}".rstrip() if first else ""
    end = f"Lowest {x.title} on the front: {best}." if first else "None survives."
    return (
        f"{len(points)} scenarios, {y.title} against {x.title}: {n[Status.FRONT]} on the front, "
        f"{n[Status.DOMINATED]} dominated, {n[Status.INFEASIBLE]} infeasible. {end}"
    )


def _sources(points: list[Spot], caption: str) -> tuple[Source, ...]:
    kinds = sorted({p.origin for p in points}, key=lambda o: o.weakness)
    marks = [Source(kind, caption if i == 0 else "where an input is.") for i, kind in enumerate(kinds)]
    return (*marks, Source(None, "Rings: base and picks. Whiskers: 95 % interval, on the front only."))
