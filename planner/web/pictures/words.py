"""Words of a figure: annotations, and names that are set beside their points so that none covers another."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from planner.web.figures.figure import Json
from planner.web.pictures.fonts import width
from planner.web.pictures.marks import Path, Place, Words
from planner.web.pictures.palette import color, ink

if TYPE_CHECKING:
    from planner.web.pictures.traces import Plane

_TAG = re.compile(r"<[^>]*>")
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_AROUND = ((12, 0), (10, -15), (10, 15), (0, -15), (0, 15), (-12, 0), (-10, -15), (-10, 15), (10, -33), (10, 33),
           (-10, 33), (-10, -33), (28, 44), (-28, 44), (36, -44), (-36, -44))  # fmt: skip
SIZE = 12.0
_Box = tuple[float, float, float, float]


def plain(text: str) -> str:
    """What a figure's bit of HTML says."""
    return html.unescape(_TAG.sub("", text.replace("<br>", " ")))


def annotations(layout: Json, plane: Plane) -> Iterator[Words]:
    left, top, right, bottom = plane.edges
    for note in layout.get("annotations", ()):
        x = left + note["x"] * (right - left) if note.get("xref") == "paper" else plane.x.pixel(_number(note["x"]))
        y = bottom - note["y"] * (bottom - top) if note.get("yref") == "paper" else plane.y.pixel(_number(note["y"]))
        lift = {"top": 11.0, "bottom": -2.0}.get(note.get("yanchor", ""), 4.0)
        text = plain(note["text"])
        yield Words(
            text,
            x + note.get("xshift", 0),
            y - note.get("yshift", 0) + lift,
            color(note.get("font", {}).get("color", "@ink"))[0],
            anchor=_ANCHORS[note.get("xanchor", "center")],
            bold=note["text"].startswith("<b>") and note["text"].endswith("</b>"),
        )


def _number(place: Any) -> float:
    """Annotations name places of categories and exponents of log axes, as numbers."""
    return float(place)


def names(wish: Json, plane: Plane) -> Iterator[Words | Path]:
    """Names of limits on their lines, then names of points at the first place around each where nothing is covered."""
    taken = [_around(plane.x.at(x), plane.y.at(y), r) for x, y, r in wish.get("marks", ())]
    for line in (*wish.get("lines", ()), *_stairs(wish.get("stairs", ()))):
        taken += _along([(plane.x.at(x), plane.y.at(y)) for x, y in line])
    yield from _limits(wish, plane, taken)
    for one in wish.get("wanted", ()):
        found = _set(one, plane, taken)
        if found is not None:
            yield found


def _stairs(corners: Sequence[Place]) -> Iterator[list[Place]]:
    """A step line as pieces that go level first."""
    for (ax, ay), (bx, by) in pairwise(corners):
        yield [(ax, ay), (bx, ay), (bx, by)]


def _along(line: Sequence[Place]) -> list[_Box]:
    """Small boxes along a line, so near to each other that no word fits between."""
    boxes = []
    for (ax, ay), (bx, by) in pairwise(line):
        steps = max(1, int(math.hypot(bx - ax, by - ay) / 6))
        boxes += [_around(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps, 2.0) for k in range(steps + 1)]
    return boxes


def _limits(wish: Json, plane: Plane, taken: list[_Box]) -> Iterator[Words]:
    left, top, right, _ = plane.edges
    for limit in wish.get("level", ()):
        y, wide = plane.y.at(limit["y"]), width(plain(limit["text"]), SIZE) + 6
        starts = [left + 6 + 8 * i for i in range(int((right - left - wide) // 8))]
        spots = [(x, y - 18, x + wide, y - 2) for x in starts]
        spot = next((s for s in spots if plane.y.holds(y) and not any(_meet(s, t) for t in taken)), None)
        if spot is not None:
            taken.append(spot)
            yield Words(plain(limit["text"]), spot[0], y - 5, ink("ink2"))
    for limit in wish.get("plumb", ()):
        x, wide = plane.x.at(limit["x"]), width(plain(limit["text"]), SIZE)
        if plane.x.holds(x):
            anchor = "end" if x - left > wide else "start"
            yield Words(plain(limit["text"]), x, top - 5, ink("ink2"), anchor=anchor)


def _set(wanted: Json, plane: Plane, taken: list[_Box]) -> Words | None:
    """None where every place is taken: the table has all names."""
    text, bold = plain(wanted["text"]), bool(wanted.get("bold"))
    wide = width(text, SIZE, bold=bold) + 4
    x, y = plane.x.at(wanted["x"]), plane.y.at(wanted["y"])
    left, top, right, bottom = plane.edges
    for dx, dy in _AROUND:
        start = x + dx - (wide if dx < 0 else 0 if dx else wide / 2)
        spot = (start, y + dy - 8, start + wide, y + dy + 7)
        fits = spot[0] >= left and spot[2] <= right and spot[1] >= top and spot[3] <= bottom
        if fits and not any(_meet(spot, other) for other in taken):
            taken.append(spot)
            return Words(text, start + 2, y + dy + 4, color(wanted.get("color", "@ink"))[0], bold=bold)
    return None


def _around(x: float, y: float, r: float) -> _Box:
    return x - r, y - r, x + r, y + r


def _meet(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
