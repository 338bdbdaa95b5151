"""Traces and shapes of a figure as paths: points with whiskers, lines with areas, bars, limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from planner.web.figures.figure import Json
from planner.web.pictures.marks import Mark, Path, Place, Words, box
from planner.web.pictures.palette import color, ink
from planner.web.pictures.plane import Axis
from planner.web.pictures.symbols import symbol
from planner.web.pictures.words import plain


@dataclass(frozen=True, slots=True)
class Plane:
    x: Axis
    y: Axis

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """left, top, right, bottom"""
        return self.x.start, self.y.end, self.x.end, self.y.start

    def inside(self, at: Place) -> bool:
        return self.x.holds(at[0]) and self.y.holds(at[1])

    def kept(self, at: Place) -> Place:
        """`at`, or the nearest place on the edge."""
        left, top, right, bottom = self.edges
        return min(max(at[0], left), right), min(max(at[1], top), bottom)


def drawn(figure_data: Sequence[Json], layout: Json, plane: Plane) -> Iterator[Mark]:
    before: list[Place] = []
    for number, trace in enumerate(figure_data):
        if trace["type"] == "bar":
            yield from _bars(trace, number, figure_data, layout, plane)
            continue
        places = _places(trace, plane)
        if "lines" in trace["mode"]:
            yield from _line(trace, places, before, plane)
            before = [p for p in places if p is not None]
        if "markers" in trace["mode"]:
            yield from _points(trace, places, plane)


def _places(trace: Json, plane: Plane) -> list[Place | None]:
    """Where each value lies; None where one of the two is not known."""
    known = [x is not None and y is not None for x, y in zip(trace["x"], trace["y"], strict=True)]
    pairs = zip(trace["x"], trace["y"], known, strict=True)
    return [(plane.x.at(x), plane.y.at(y)) if has else None for x, y, has in pairs]


def _line(trace: Json, places: list[Place | None], before: list[Place], plane: Plane) -> Iterator[Path]:
    joined = [plane.kept(p) for p in places if p is not None]
    stroke = trace.get("line", {})
    fill = trace.get("fill")
    if fill and joined:
        area = [*joined, *reversed([plane.kept(p) for p in before])] if fill == "tonexty" else joined
        paint, alpha = color(trace["fillcolor"])
        yield Path(area, fill=paint, opacity=alpha, closed=True)
    if stroke.get("width", 1.5) > 0 and "color" in stroke:
        dash = [float(part.removesuffix("px")) for part in _dash(stroke.get("dash")).split(",") if part]
        for piece in _pieces(places):
            shown = [plane.kept(p) for p in (_stairs(piece) if stroke.get("shape") == "hv" else piece)]
            yield Path(shown, color(stroke["color"])[0], stroke.get("width", 1.5), dash)


def _dash(dash: str | None) -> str:
    return "" if dash in (None, "solid") else str(dash)


def _pieces(places: list[Place | None]) -> Iterator[list[Place]]:
    """Runs of known values; a gap is not bridged."""
    piece: list[Place] = []
    for place in [*places, None]:
        if place is not None:
            piece.append(place)
        elif piece:
            yield piece
            piece = []


def _stairs(piece: list[Place]) -> list[Place]:
    corners = [((b[0], a[1]), b) for a, b in pairwise(piece)]
    return [piece[0], *(place for pair in corners for place in pair)]


def _points(trace: Json, places: list[Place | None], plane: Plane) -> Iterator[Path]:
    marker = trace["marker"]
    width = marker.get("line", {}).get("width", 1.0)
    yield from _whiskers(trace, plane)
    for i, place in enumerate(places):
        if place is not None and plane.inside(place):
            name, size, paint = (_each(marker.get(key), i) for key in ("symbol", "size", "color"))
            yield from symbol(name or "circle", place, size, color(paint)[0], width)


def _each(given: Any, i: int) -> Any:
    return given[i] if isinstance(given, list | tuple) else given


def _whiskers(trace: Json, plane: Plane) -> Iterator[Path]:
    for along, key in (("x", "error_x"), ("y", "error_y")):
        bars = trace.get(key)
        for i in range(len(trace["x"]) if bars else 0):
            up = bars["array"][i]
            down = bars.get("arrayminus", bars["array"])[i]
            if not up and not down:
                continue
            ends = []
            for moved in (-down, up):
                moved_to = {"x": trace["x"][i], "y": trace["y"][i]}
                moved_to[along] = _shifted(plane.x if along == "x" else plane.y, moved_to[along], moved)
                ends.append(plane.kept((plane.x.at(moved_to["x"]), plane.y.at(moved_to["y"]))))
            yield Path(ends, color(bars["color"])[0], bars.get("thickness", 1.0))


def _shifted(axis: Axis, value: float, by: float) -> float:
    """The end of a whisker; on a log axis one that would reach zero ends at the axis."""
    return max(value + by, 10 ** min(axis.low, axis.high)) if axis.log else value + by


def _bars(trace: Json, number: int, traces: Sequence[Json], layout: Json, plane: Plane) -> Iterator[Mark]:
    level = trace.get("orientation") == "h"
    names, values = (trace["y"], trace["x"]) if level else (trace["x"], trace["y"])
    across, along = (plane.y, plane.x) if level else (plane.x, plane.y)
    step = abs(across.pixel(1) - across.pixel(0))
    room = step * (1 - layout.get("bargap", 0.2))
    grouped = layout.get("barmode") == "group"
    thick = room / len(traces) if grouped else room
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        if value is None:
            continue
        middle = across.at(name) + ((number - (len(traces) - 1) / 2) * thick if grouped else 0.0)
        below = 0.0 if grouped else sum((t["x" if level else "y"][i] or 0.0) for t in traces[:number])
        ends = sorted((along.pixel(below), along.pixel(below + value)))
        sides = (middle - thick / 2, middle + thick / 2)
        corners = box(ends[0], sides[0], ends[1], sides[1]) if level else box(sides[0], ends[0], sides[1], ends[1])
        edge = color(trace["marker"]["line"]["color"])[0] if "line" in trace["marker"] else ""
        yield Path(corners, edge, 1.0, fill=color(trace["marker"]["color"])[0], closed=True)
        if level:
            yield from _bar_words(trace, i, ends, middle)


def _bar_words(trace: Json, i: int, ends: list[float], middle: float) -> Iterator[Words]:
    text = plain(_each(trace.get("text", ""), i) or "")
    if text and trace.get("textposition") == "outside":
        yield Words(text, ends[1] + 6, middle + 4, ink("ink"))
    elif text:
        paint = color(trace.get("insidetextfont", {}).get("color", "@ink"))[0]
        yield Words(text, sum(ends) / 2, middle + 4, paint, anchor="middle")


def shapes(layout: Json, plane: Plane, *, below: bool) -> Iterator[Path]:
    for shape in layout.get("shapes", ()):
        if (shape.get("layer") == "below") != below:
            continue
        (x0, y0), (x1, y1) = (
            plane.kept((plane.x.at(shape[f"x{end}"]), plane.y.at(shape[f"y{end}"]))) for end in (0, 1)
        )
        if shape["type"] == "rect":
            paint, alpha = color(shape["fillcolor"])
            yield Path(box(x0, y0, x1, y1), fill=paint, opacity=alpha, closed=True)
        else:
            stroke = shape["line"]
            dash = [float(part.removesuffix("px")) for part in _dash(stroke.get("dash")).split(",") if part]
            yield Path([(x0, y0), (x1, y1)], color(stroke["color"])[0], stroke.get("width", 1.0), dash)
