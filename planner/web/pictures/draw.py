"""A figure as a drawing: title, legend, axes, traces, words; beneath them its sources and what it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planner.web.figures.figure import SYMBOLS, Figure, Json, Key
from planner.web.pictures.fonts import width, wrapped
from planner.web.pictures.marks import Drawing, Mark, Path, Words, box
from planner.web.pictures.palette import ink
from planner.web.pictures.plane import Axis, axis_of
from planner.web.pictures.symbols import symbol
from planner.web.pictures.traces import Plane, drawn, shapes
from planner.web.pictures.words import SIZE, annotations, names, plain

WIDTH = 960.0
_HEIGHTS = {"tall": 400.0}
_LOW = 300.0
_EDGE = 24.0
_SMALL, _LINE = 11.0, 16.0
_LINED, _PATCH = 42.0, 18.0  # from the start of an entry of the legend to its words
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")  # in full they stand in tables and reports
_ORIGIN_OF = {origin.letter: origin for origin in SYMBOLS}


def drawing(figure: Figure, about: Mapping[str, str]) -> Drawing:
    """`about`: what the figure was made of, engine and digests, which stands beneath it."""
    head = list(_head(figure))
    top = 44.0 + (_LINE + 6 if figure.key else 0.0)
    if figure.empty:
        head.append(Words(f"No figure: {figure.empty}", _EDGE, top + 24, ink("ink2")))
        body, bottom = [], top + 48
    else:
        plane = _plane(figure, top)
        body = list(_body(figure, plane))
        bottom = plane.edges[3] + figure.layout.get("margin", {}).get("b", 46) + 8
    foot, height = _foot(figure, about, bottom)
    return Drawing(WIDTH, height, figure.title, figure.summary, (*head, *body, *foot))


def _head(figure: Figure) -> Iterator[Mark]:
    yield Words(figure.title, _EDGE, 30, ink("ink"), 15.0, bold=True)
    x = _EDGE
    for key in figure.key:
        yield from _key(key, x)
        x += (_LINED if key.dash or key.mark else _PATCH) + width(key.text, _SMALL) + 20


def _key(key: Key, x: float) -> Iterator[Mark]:
    paint = ink(key.color)
    if key.dash:
        dash = (6.0, 3.0) if key.dash != "solid" else ()
        yield Path([(x, 48), (x + 36, 48)], paint, key.width, dash)
    if key.mark:
        yield from symbol(SYMBOLS[_ORIGIN_OF[key.mark]], (x + 18, 48), 8, paint, 1.8)
    if not key.dash and not key.mark:
        yield Path(box(x, 42, x + 12, 54), ink("edge"), 1.0, fill=paint, closed=True)
    yield Words(key.text, x + (_LINED if key.dash or key.mark else _PATCH), 52, ink("ink2"), _SMALL)


def _plane(figure: Figure, top: float) -> Plane:
    margin, wish = figure.layout.get("margin", {}), figure.labels
    left = max(72.0, _room(wish["left"], 20) if "left" in wish else margin.get("l", 48))
    right = max(_EDGE, _room(wish["right"], 14) if "right" in wish else margin.get("r", 16))
    upper = top + margin.get("t", 32)
    lower = upper + _HEIGHTS.get(figure.height, _LOW)
    bars = [trace for trace in figure.data if trace["type"] == "bar"]
    level = any(trace.get("orientation") == "h" for trace in bars)
    x = axis_of(figure.layout.get("xaxis", {}), _all(figure.data, "x"), left, WIDTH - right, bars=bool(bars) and level)
    y = axis_of(figure.layout.get("yaxis", {}), _all(figure.data, "y"), lower, upper, bars=bool(bars) and not level)
    return Plane(x, y)


def _room(texts: Sequence[str], pad: float) -> float:
    return max((width(plain(text), SIZE) for text in texts), default=0.0) + pad


def _all(traces: Sequence[Json], along: str) -> list[Any]:
    return [value for trace in traces for value in trace[along]]


def _body(figure: Figure, plane: Plane) -> Iterator[Mark]:
    yield from shapes(figure.layout, plane, below=True)
    yield from _axes(plane)
    yield from drawn(figure.data, figure.layout, plane)
    yield from shapes(figure.layout, plane, below=False)
    yield from annotations(figure.layout, plane)
    yield from names(figure.labels, plane)


def _axes(plane: Plane) -> Iterator[Mark]:
    left, top, right, bottom = plane.edges
    for x, words in plane.x.ticks:
        if plane.x.layout.get("showgrid", True):
            yield Path([(x, top), (x, bottom)], ink("line"))
        yield Words(words, x, bottom + 18, ink("ink2"), _SMALL, anchor="middle")
    for y, words in plane.y.ticks:
        if plane.y.layout.get("showgrid", True):
            yield Path([(left, y), (right, y)], ink("line"))
        yield Words(words, left - 8, y + 4, _tick_ink(plane.y), _SMALL, anchor="end")
    yield Path([(left, top), (left, bottom), (right, bottom)], ink("edge"))
    yield Words(plane.x.title, (left + right) / 2, bottom + 38, ink("ink2"), anchor="middle")


def _tick_ink(axis: Axis) -> str:
    return ink("ink" if axis.names else "ink2")


def _short(digest: re.Match[str]) -> str:
    return digest.group()[:12]


def _foot(figure: Figure, about: Mapping[str, str], top: float) -> tuple[list[Mark], float]:
    """The source lines, each begun by the mark of its origin, then what the figure was made of; and the height."""
    marks: list[Mark] = []
    y = top + _LINE
    room = WIDTH - 2 * _EDGE - 16
    for source in figure.sources:
        text = f"{source.origin}, {source.text}" if source.origin else source.text
        if source.origin:
            marks += symbol(SYMBOLS[source.origin], (_EDGE + 5, y - 4), 9, ink(str(source.origin)), 1.6)
        for line in wrapped(text, _SMALL, room):
            marks.append(Words(line, _EDGE + 16, y, ink("ink2"), _SMALL))
            y += _LINE
    made = " · ".join(f"{name.replace('_', ' ')}: {_DIGEST.sub(_short, value)}" for name, value in about.items())
    for line in wrapped(made, _SMALL, room):
        marks.append(Words(line, _EDGE + 16, y, ink("ink2"), _SMALL))
        y += _LINE
    return marks, y + 4
