"""What a picture consists of: paths and words, in pixels from the upper left corner, with colours worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    """A line through `points`, closed where it is a shape. An empty colour is not drawn."""

    points: Sequence[Place]
    stroke: str = ""
    width: float = 1.0
    dash: Sequence[float] = ()
    fill: str = ""
    opacity: float = 1.0  # of the filling
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `y` is its base line, `anchor` start, middle or end."""

    text: str
    x: float
    y: float
    color: str
    size: float = 12.0
    anchor: str = "start"
    bold: bool = False


Mark = Path | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """`title` and `summary` are what somebody hears who does not see it."""

    width: float
    height: float
    title: str
    summary: str
    marks: tuple[Mark, ...]


def box(left: float, top: float, right: float, bottom: float) -> tuple[Place, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))
