"""A drawing as PNG at twice its size, drawn larger still and scaled down, so that lines are smooth."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

from planner.web.pictures.fonts import BOLD, REGULAR, drawable, folder
from planner.web.pictures.marks import Drawing, Path, Place, Words
from planner.web.pictures.palette import ink

SCALE = 2
_FINER = 2
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png(drawing: Drawing) -> bytes:
    from PIL import Image, ImageDraw  # loaded for this, not by every page

    k = SCALE * _FINER
    image = Image.new("RGB", (round(drawing.width * k), round(drawing.height * k)), ink("paper"))
    pen = ImageDraw.Draw(image, "RGBA")
    for mark in drawing.marks:
        if isinstance(mark, Path):
            _path(pen, mark, k)
        else:
            _words(pen, mark, k)
    out = io.BytesIO()
    smaller = image.resize((image.width // _FINER, image.height // _FINER), Image.Resampling.LANCZOS)
    smaller.save(out, "PNG", optimize=True)
    return out.getvalue()


def _path(pen: Any, path: Path, k: int) -> None:
    points = [(x * k, y * k) for x, y in path.points]
    if path.fill and len(points) > 2:
        pen.polygon(points, fill=f"{path.fill}{round(255 * path.opacity):02x}")
    if path.stroke:
        whole = [*points, points[0]] if path.closed else points
        for piece in _dashes(whole, [d * k for d in path.dash]) if path.dash else [whole]:
            pen.line(piece, fill=path.stroke, width=max(1, round(path.width * k)), joint="curve")


def _dashes(points: list[Place], dash: list[float]) -> list[list[Place]]:
    """The drawn pieces of a dashed line; the pattern goes on around corners."""
    pieces: list[list[Place]] = [[points[0]]]
    at, left = 0, dash[0]
    for (ax, ay), (bx, by) in pairwise(points):
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        gone = 0.0
        while length - gone > left:
            gone += left
            here = (ax + (bx - ax) * gone / length, ay + (by - ay) * gone / length)
            pieces[-1].append(here)
            pieces.append([here])
            at = (at + 1) % len(dash)
            left = dash[at]
        left -= length - gone
        pieces[-1].append((bx, by))
    return [piece for i, piece in enumerate(pieces) if i % 2 == 0 and len(piece) > 1]


def _words(pen: Any, words: Words, k: int) -> None:
    from PIL import ImageFont

    name = BOLD if words.bold else REGULAR
    font = ImageFont.truetype(str(folder() / f"{name}.ttf"), round(words.size * k))
    text = drawable(words.text).replace("\n", " ")
    pen.text((words.x * k, words.y * k), text, fill=words.color, font=font, anchor=_ANCHORS[words.anchor])
