"""A drawing as SVG: text stays text, nothing is loaded, no style sheet is needed."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from planner.web.pictures.marks import Drawing, Mark, Path, Words
from planner.web.pictures.palette import ink

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"


def svg(drawing: Drawing) -> str:
    size = f'width="{drawing.width:g}" height="{drawing.height:g}" viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    said = f"<title>{_text(drawing.title)}</title><desc>{_text(drawing.summary)}</desc>"
    ground = f'<rect width="{drawing.width:g}" height="{drawing.height:g}" fill="{ink("paper")}"/>'
    body = "".join(_mark(mark) for mark in drawing.marks)
    font = f"font-family={quoteattr(FONT)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {font}>{said}{ground}{body}</svg>\n'


def _mark(mark: Mark) -> str:
    return _path(mark) if isinstance(mark, Path) else _words(mark)


def _path(path: Path) -> str:
    corners = "L".join(f"{x:.2f} {y:.2f}" for x, y in path.points)
    drawn = f'd="M{corners}{"Z" if path.closed else ""}" fill="{path.fill or "none"}"'
    drawn += f' fill-opacity="{path.opacity:g}"' if path.fill and path.opacity < 1 else ""
    return f"<path {drawn}{_stroke(path)}/>"


def _stroke(path: Path) -> str:
    if not path.stroke:
        return ""
    dash = f' stroke-dasharray="{_listed(path.dash)}"' if path.dash else ""
    return f' stroke="{path.stroke}" stroke-width="{path.width:g}"{dash}'


def _listed(numbers: Sequence[float]) -> str:
    return " ".join(f"{n:g}" for n in numbers)


def _words(words: Words) -> str:
    weight = ' font-weight="600"' if words.bold else ""
    anchor = f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
    place = f'x="{words.x:.2f}" y="{words.y:.2f}" font-size="{words.size:g}" fill="{words.color}"'
    return f"<text {place}{anchor}{weight}>{_text(words.text)}</text>"


def _text(text: str) -> str:
    """Escaped, without the control characters that XML cannot hold."""
    return escape("".join(c for c in text if c >= " " or c in "\t\n\r"))
