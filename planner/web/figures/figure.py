"""A figure: Plotly JSON with colours by token name, and everything that has to travel with the picture.

Builders know no theme and no pixels. Colours are "@token" or "@token/.45"; the page resolves them from the stylesheet.
`labels` are wishes: the page measures text and places them so that nothing collides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simulation.provenance import Origin

SYMBOLS = {
    Origin.MEASURED: "circle",
    Origin.SIMULATED: "diamond-open",
    Origin.CITED: "square",
    Origin.ASSUMED: "square-open",
    Origin.ILLUSTRATIVE: "triangle-up-open",
}
CROSSED = {  # plotly has no crossed triangle
    Origin.MEASURED: "circle-x-open",
    Origin.SIMULATED: "diamond-x-open",
    Origin.CITED: "square-x-open",
    Origin.ASSUMED: "square-x-open",
}
DASHES = {
    Origin.MEASURED: "solid",
    Origin.SIMULATED: "6px,3px",
    Origin.CITED: "2px,2px",
    Origin.ASSUMED: "6px,2px,2px,2px",
    Origin.ILLUSTRATIVE: "10px,4px",
}
LONGEST = 60  # characters of a name in a picture; tables have all of it
Json = dict[str, Any]
_SHAPES = {
    "M": "M18 1a4 4 0 1 1 0 8a4 4 0 1 1 0-8z",
    "S": "M18 .8 22.2 5 18 9.2 13.8 5z",
    "C": "M14.5 1.5h7v7h-7z",
    "A": "M14.5 1.5h7v7h-7z",
    "I": "M18 .8 22.6 9h-9.2z",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of the legend: a line (colour, dash, mark) or a patch."""

    text: str
    color: str
    dash: str = ""
    width: float = 1.5
    mark: str = ""  # letter of the origin whose shape stands on the line

    @property
    def path(self) -> str:
        """The shape, in the legend's box of 36 x 10."""
        return _SHAPES.get(self.mark, "")

    @property
    def solid(self) -> bool:
        return self.mark in ("M", "C")


@dataclass(frozen=True, slots=True)
class Source:
    """A piece of the source line: origin mark, the words after it."""

    origin: Origin | None
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    title: str
    summary: str = ""
    data: tuple[Json, ...] = ()
    layout: Json = field(default_factory=dict)
    labels: Json = field(default_factory=dict)
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    sources: tuple[Source, ...] = ()
    key: tuple[Key, ...] = ()
    height: str = "low"
    empty: str = ""

    @property
    def plot_id(self) -> str:
        """An id without blanks, whatever the name of a service in it: other signs stand as their numbers."""
        return "figure-" + "".join(c if re.match(r"[a-zA-Z0-9-]", c) else f"_{ord(c):x}" for c in self.name)

    @property
    def payload(self) -> Json:
        """What the page needs in order to draw, tabulate and export."""
        return {
            "data": list(self.data),
            "layout": self.layout,
            "labels": self.labels,
            "head": list(self.head),
            "rows": [list(r) for r in self.rows],
            "sources": [{"origin": s.origin, "text": s.text} for s in self.sources],
        }


def nothing(name: str, title: str, why: str, height: str = "low") -> Figure:
    """A figure without data says why."""
    return Figure(name=name, title=title, summary=why, empty=why, height=height)


def axis(title: str = "", **more: Any) -> Json:
    return {
        "title": {"text": title, "standoff": 8, "font": {"color": "@ink2"}},
        "gridcolor": "@line",
        "zeroline": False,
        "linecolor": "@edge",
        "tickcolor": "@edge",
        "ticks": "outside",
        "ticklen": 4,
        "tickfont": {"color": "@ink2"},
        **more,
    }


def words(text: str, x: Any, y: Any, **more: Any) -> Json:
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"color": "@ink"}, "xanchor": "left", **more}


def upright(text: str, shift: int = -44) -> Json:
    """The title of the upright axis, level at its top end."""
    return words(
        text, 0, 1, xref="paper", yref="paper", yanchor="bottom", xshift=shift, yshift=10, font={"color": "@ink2"}
    )


def corner(text: str, shift: int = -44) -> Json:
    """Which way is better, under the axis, where no point can lie."""
    return words(
        text, 0, 0, xref="paper", yref="paper", yanchor="top", xshift=shift, yshift=-27, font={"color": "@ink2"}
    )


def line(x0: Any, y0: Any, x1: Any, y1: Any, color: str = "@ink2", **more: Any) -> Json:
    return {"type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": {"color": color, "width": 1}, **more}


def tint(x0: Any, y0: Any, x1: Any, y1: Any) -> Json:
    """Outside of a hard limit the sheet is tinted; the feasible region stays paper."""
    return {
        "type": "rect",
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": "@tint",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
    }


def inert(text: str) -> str:
    """Words of people as the plot shows them: no tag, entity or template that stands in them is followed."""
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("{", "&#123;")):
        cut = cut.replace(sign, entity)
    return cut


def listed(names: Sequence[str]) -> str:
    """Words in a sentence: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
