"""The marks of origins and classes, as Plotly names them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from planner.web.pictures.marks import Path, Place

_ROUND = 24  # corners of a circle
_SHAPES = {
    "circle": tuple((math.cos(2 * math.pi * i / _ROUND), math.sin(2 * math.pi * i / _ROUND)) for i in range(_ROUND)),
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "diamond": ((0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)),
    "triangle-up": ((0.0, -1.15), (1.1, 0.75), (-1.1, 0.75)),
}
_CROSS = (((-0.7, -0.7), (0.7, 0.7)), ((-0.7, 0.7), (0.7, -0.7)))


def symbol(name: str, at: Place, size: float, color: str, width: float) -> Iterator[Path]:
    """`size` is the diameter in pixels. Plotly's endings: -open is not filled, -x and x- are crossed."""
    shape = name.removesuffix("-open").removesuffix("-x")
    if shape in _SHAPES:
        fill = "" if name.endswith("-open") else color
        yield Path(_placed(_SHAPES[shape], at, size), color, width, fill=fill, closed=True)
    if "-x" in name or shape == "x-thin":
        for stroke in _CROSS:
            yield Path(_placed(stroke, at, size), color, width)


def _placed(shape: tuple[Place, ...], at: Place, size: float) -> tuple[Place, ...]:
    return tuple((at[0] + x * size / 2, at[1] + y * size / 2) for x, y in shape)
